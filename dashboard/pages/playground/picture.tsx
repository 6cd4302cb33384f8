/** The pictures of entries in the Studio's default catalog; an entry that an operator has added shows its initial. */

import { pictured } from './pictured.ts';

export const Picture = ({ of }: { readonly of: string }) =>
  pictured.includes(of) ? (
    // The picture needs no description, because the entry's name is next to it.
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
