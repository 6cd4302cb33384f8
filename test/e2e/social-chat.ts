/** Customers' actions in the sandbox of social networks, by means of the forms of its pages. */
import type { EventDelivery } from '../../fakes/event-sender.ts';

async function fetched(url: string, form?: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(url, form && { method: 'POST', body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return response.text();
}

export interface SocialPage {
  /** The conversation with a person, by the name that the page lists. */
  conversation(name: string): Promise<SocialThread>;
  firstPost(): Promise<SocialThread>;
  press(action: string): Promise<void>;
}

export interface SocialThread {
  html(): Promise<string>;
  /** `events` is how the event of the action is delivered. */
  press(action: string, form?: Readonly<Record<string, string>>, events?: EventDelivery): Promise<void>;
}

const threadAt = (url: string): SocialThread => ({
  html: () => fetched(url),
  async press(action, form = {}, events = 'at once') {
    await fetched(url, { ...form, action, events });
  },
});

/** A page of a shop in the sandbox. */
export function socialPage(sandboxUrl: string, pageId: string): SocialPage {
  const url = `${sandboxUrl}/pages/${pageId}`;
  const linked = async (pattern: RegExp): Promise<SocialThread> => {
    const [, path] = pattern.exec(await fetched(url)) ?? [];
    if (path === undefined) throw new Error(`${url} has no link like ${pattern.source}`);
    return threadAt(sandboxUrl + path);
  };
  return {
    conversation: (name) => linked(new RegExp(`<a href="(/people/\\w+)">${name}</a>`)),
    firstPost: () => linked(/<a href="(\/posts\/\w+)">/),
    async press(action) {
      await fetched(url, { action });
    },
  };
}
