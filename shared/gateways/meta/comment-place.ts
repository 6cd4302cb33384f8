/** Where a comment of a list belongs, and when the list was read. */
export interface CommentPlace {
  readonly postId: string;
  /** What it replies to, unless the comment itself says. */
  readonly parentId?: string | null;
  /** A comment whose time cannot be true is as if just written. */
  readonly now: number;
}
