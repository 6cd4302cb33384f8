/** The parent of the comments in a list, and the time at which the list was read. */
export interface CommentPlace {
  readonly postId: string;
  /** The id of the parent comment, unless each comment names its own. */
  readonly parentId?: string | null;
  /** The time for comments with an impossible time. */
  readonly now: number;
}
