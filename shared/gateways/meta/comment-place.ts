/** Which parent the comments of a list belong to, and when the list was read. */
export interface CommentPlace {
  readonly postId: string;
  /** The id of the parent comment, unless each comment names its own. */
  readonly parentId?: string | null;
  /** The time for comments with an impossible time. */
  readonly now: number;
}
