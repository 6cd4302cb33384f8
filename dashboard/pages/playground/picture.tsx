/** The pictures of what the Studio's default catalog has; an operator's own entries show their initial. */

import { pictured } from './pictured.ts';

export const Picture = ({ of }: { readonly of: string }) =>
  pictured.includes(of) ? (
    // The entry's name is next to it.
    <img
      className="scene"
      src={`${import.meta.env.BASE_URL}studio-${of}.webp`}
      alt=""
      loading="lazy"
      decoding="async"
    />
  ) : (
    <span className="picture" aria-hidden="true">
      {of.slice(0, 1).toUpperCase()}
    </span>
  );
