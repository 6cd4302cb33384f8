/** Easing functions for the animations of advertisements. */

const inside = (share: number): number => Math.min(1, Math.max(0, share));

/** The share of a period that has passed: 0 before it and 1 after it. */
export const passed = (seconds: number, from: number, duration: number): number =>
  duration <= 0 ? (seconds < from ? 0 : 1) : inside((seconds - from) / duration);

/** Ease-out: fast at first. */
export const easedOut = (share: number): number => 1 - (1 - inside(share)) ** 3;

/** Ease-in-out: slow at both ends. */
export const easedBoth = (share: number): number => {
  const part = inside(share);
  return part * part * (3 - 2 * part);
};

/** Overshoots and comes back. */
export const overshooting = (share: number): number => {
  const rest = inside(share) - 1;
  return 1 + 2.7 * rest ** 3 + 1.7 * rest ** 2;
};

/** Interpolates between two values. */
export const between = (from: number, to: number, share: number): number => from + (to - from) * share;

/** Swings between -1 and 1, this many times a second. */
export const swinging = (seconds: number, timesPerSecond: number): number =>
  Math.sin(2 * Math.PI * timesPerSecond * seconds);
