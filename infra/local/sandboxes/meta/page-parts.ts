/** What the pages of the sandbox have in common: how they look, and how they show what happens meanwhile. */
import { type EventFate, eventFates } from '../event-sender.ts';
import { escaped, eventsField, type HostedPage, hostedPage } from '../hosted-page.ts';

const style = `
  ol.thread { list-style: none; margin: 0; padding: 0; display: grid; gap: .6rem; }
  ol.thread li { display: grid; gap: .15rem; max-width: 85%; justify-self: start; }
  ol.thread li > p { margin: 0; padding: .55rem .85rem; border-radius: 16px 16px 16px 4px; background: #e8ecf2; overflow-wrap: anywhere; white-space: pre-wrap; }
  ol.thread li.mine { justify-self: end; justify-items: end; } ol.thread li.mine > p { background: #0a55b0; color: #fff; border-radius: 16px 16px 4px 16px; }
  ol.thread small, ol.comments small { color: var(--muted); font-size: .875rem; } ol.thread img { width: 9rem; border-radius: 12px; }
  ol.comments { list-style: none; margin: 0; padding: 0; } ol.comments li { padding: .75rem 0; border-top: 1px solid var(--line); display: grid; grid-template-columns: 1fr auto; gap: .2rem .75rem; align-items: start; }
  ol.comments li > div { min-width: 0; overflow-wrap: anywhere; }
  ol.comments li.reply { margin-left: 1.5rem; } ol.comments li.hidden p { opacity: .65; text-decoration: line-through; }
  ol.comments p { margin: 0; overflow-wrap: anywhere; } ol.comments button { width: auto; min-height: 2.75rem; }
  .photo { display: block; width: 100%; max-width: 20rem; border-radius: 12px; }
  label.check { display: flex; gap: .6rem; align-items: center; }`;

/** Whatever is marked as live is replaced by what the server shows now, so that a person sees replies arrive. */
const script = `
  const refresh = async () => {
    const text = await (await fetch(location.href)).text();
    const page = new DOMParser().parseFromString(text, 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const now = page.getElementById(part.id);
      if (now && now.innerHTML !== part.innerHTML) part.innerHTML = now.innerHTML;
    }
  };
  setInterval(() => refresh().catch(() => undefined), 1000);`;

export const socialPage = (page: Omit<HostedPage, 'standIn' | 'head' | 'promise'>): string =>
  hostedPage({
    ...page,
    promise: 'nothing is published here',
    standIn: 'Instagram and Facebook',
    head: `<style>${style}</style><script>addEventListener('load', () => {${script}});</script>`,
  });

/** The signatures of these events hold no time, so that none can be too old. */
const fates: readonly EventFate[] = eventFates.filter((fate) => fate !== 'stale');

export const socialEventsField = (): string => eventsField(fates);

export const button = (deed: string, label: string, kind = ''): string =>
  `<button name="deed" value="${deed}"${kind && ` class="${kind}"`}>${escaped(label)}</button>`;

export const channelNames = { instagram: 'Instagram', facebook: 'Facebook' } as const;

export const timeAt = (at: number): string =>
  new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'America/Sao_Paulo',
  });
