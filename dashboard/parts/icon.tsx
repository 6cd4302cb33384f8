/**
 * The icons, drawn on a grid of 24 with strokes in the text's color. They are decorative: text or a label is next to
 * them.
 */

const paths = {
  overview: 'M4 13h6V4H4zM14 9h6V4h-6zM14 20h6v-7h-6zM4 20h6v-3H4z',
  tasks: 'M4 5h16v14H4zM4 15l4.5-4.5 4 4 2.5-2.5 5 5M15.5 9h.01',
  playground:
    'M5 19 15 9M13 5l1 2 2 1-2 1-1 2-1-2-2-1 2-1zM19 12l.7 1.300 1.300.7-1.300.7-.7 1.300-.7-1.300-1.300-.7 1.300-.7z',
  tokens: 'M8 20a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM11.600 11.400 20 3M16 7l3 3M13 10l2 2',
  webhooks: 'M12 8a3 3 0 1 0-3-3M9.5 6.5 6.5 14M6 17a3 3 0 1 0 3 3M6 17h8M17 17a3 3 0 1 0-1 .2M14 9l3.5 6',
  inbox: 'M4 5h16v14H4zM4 13h5l1.500 3h3l1.500-3h5',
  billing: 'M3 6h18v12H3zM3 10h18M7 14.5h3',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c.8-3.6 3.6-5 7-5s6.2 1.4 7 5',
  book: 'M5 4h10a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h10',
  logOut: 'M14 5H6v14h8M11 12h9M17 9l3 3-3 3',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  plus: 'M12 5v14M5 12h14',
  alert: 'M12 4 2.500 20h19zM12 10v4M12 17h.01',
  image: 'M4 5h16v14H4zM4 15l4.500-4.500 4 4 2.500-2.500 5 5M15.500 9h.01',
  video: 'M4 6h11v12H4zM15 11l5-3v8l-5-3z',
  audio: 'M4 10v4M8 7v10M12 4v16M16 7v10M20 10v4',
  play: 'M8 5.500v13l10-6.500z',
  pause: 'M8 5v14M16 5v14',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500 20 20',
  back: 'M11 6l-6 6 6 6M5 12h14',
  external: 'M10 6H5v13h13v-5M13 4h7v7M20 4l-9 9',
  repeat: 'M4 11a8 8 0 0 1 14-4.500L20 9M20 4v5h-5M20 13a8 8 0 0 1-14 4.500L4 15M4 20v-5h5',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    style={{ flex: 'none' }}
  >
    <path d={paths[name]} />
  </svg>
);
