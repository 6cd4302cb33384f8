/** The texts about connected pages, in English. */
import type { ConnectionProblem } from '../../shared/contracts/connecting.ts';

const problems: Record<ConnectionProblem, string> = {
  expired: 'This took too long, was started in another tab or browser, or was already used. Connect the page again.',
  canceled: 'You did not give access. Nothing was connected.',
  'not-in-plan': 'Your plan does not include the inbox.',
  'not-offered': 'This service cannot connect pages of this network. Ask its operator.',
  'no-page': 'You did not give access to any page. Connect again, and choose one in the network’s dialog.',
  'network-down': 'The network cannot be reached at the moment. Try again in a few minutes.',
  rejected: 'The network refused access. Connect the page again.',
  erasing: 'What was copied from the page before is still being erased. Try again in a few minutes.',
  'other-page': 'Another page of this network is connected. Disconnect it first.',
  'other-account': 'This page is connected to another account of this service. It must be disconnected there first.',
  changing: 'The connection is being changed at this moment. Try again.',
  'too-many': 'Too many requests. Wait a minute and try again.',
  failed: 'The page could not be connected. Try again.',
};

export const enConnections = {
  title: 'Connected pages',
  hint: 'Your pages on Instagram and Facebook, whose messages and comments you answer in the inbox and through the API.',
  none: 'No page is connected.',
  notOffered: 'This service cannot connect pages of this network. Ask its operator.',
  connect: 'Connect',
  reconnect: 'Reconnect',
  disconnect: 'Disconnect',
  /** The accessible label of a button; `name` is the social network or page next to it. */
  of: (action: string, name: string) => `${action}: ${name}`,
  states: { connected: 'Connected', revoked: 'Access has ended', erasing: 'Disconnected' },
  since: (day: string) => `Connected on ${day}`,
  synced: (time: string) => `Updated ${time}`,
  waiting: 'Its inbox will be copied in a moment.',
  copying: (done: string, found: string) => `Copying the inbox: ${done} of ${found} conversations and posts so far`,
  notes: {
    revoked: 'The network no longer accepts the access that you gave. Reconnect the page to go on answering there.',
    erasing:
      'Our copy of its messages and comments is being erased. A page can be connected again in about three minutes.',
  },
  faults: {
    throttled: 'The network limits how fast it can be read. The inbox will update on its own.',
    unavailable: 'The network does not respond at the moment. The inbox will update on its own.',
    incomplete: 'The network did not list everything. It is asked again within minutes.',
    failed: 'The inbox could not be updated. This is tried again within minutes.',
  },
  disconnectTitle: (page: string) => `Disconnect ${page}?`,
  disconnectText:
    'The service forgets its access to the page at once. Within minutes it erases its copy of all conversations, messages, posts and comments. Nothing changes in the network itself.',
  connected: 'The page is connected.',
  choose: 'Which page do you want to connect?',
  chooseHint: (time: string) => `You gave access to several pages. Choose one until ${time}.`,
  choiceOver: 'There is nothing left to choose from. Connect the page again.',
  chooseOthers: 'Give access to other pages',
  problems,
};
