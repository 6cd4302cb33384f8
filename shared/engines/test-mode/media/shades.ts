/** The shades of gray of a video of test mode and its poster, from 0 to 255. */
export interface Shades {
  readonly paper: number;
  readonly word: number;
}
