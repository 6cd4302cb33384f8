/** A run in which the service does everything that it can, with a secret in every field that accepts a text. */
import { eventually } from '../../support/eventually.ts';
import { runClips } from './clips-run.ts';
import { playEngine } from './engine-reports.ts';
import { openAccount, operate, switchOff } from './operator.ts';
import { runOutages } from './outages.ts';
import { buyPacks, runSubscriptions } from './purchases.ts';
import { runStudio } from './studio-run.ts';
import { order, runTasks } from './tasks-of-every-kind.ts';
import type { World } from './world.ts';
import { runWrongRequests } from './wrong-requests.ts';

/**
 * The first attempt at each webhook fails: with a response text, without one, or with a redirect. All further attempts
 * are accepted.
 */
function playReceiver({ receiver, words }: World): void {
  let failures = 0;
  receiver.respond((response, attempt) => {
    if (attempt > 1) {
      response.writeHead(204).end();
      return;
    }
    failures += 1;
    if (failures % 3 === 0) response.destroy();
    else
      response
        .writeHead(failures % 3 === 1 ? 500 : 302, { location: `/${words.receiverWords}` })
        .end(words.receiverWords);
  });
}

const delivered = ({ context }: World, taskId: string): Promise<true> =>
  eventually('the delivery of the webhook', async () =>
    (await context.tasks.find(taskId))?.webhookStatus === 'delivered' ? true : undefined,
  );

/** Runs all generations, before any outage. */
async function runGenerations(world: World, token: string, accountId: string): ReturnType<typeof runTasks> {
  const [tasks] = await Promise.all([runTasks(world, token), runWrongRequests(world, accountId)]);
  await runStudio(world);
  await runClips(world);
  return tasks;
}

/** The age from which a cached catalog is read again. */
const staleMs = 31_000;

export async function runEverything(world: World): Promise<void> {
  playEngine(world);
  playReceiver(world);
  const opened = await openAccount(world);
  const { accountId } = opened;
  const [{ token }, buyer] = [await world.token(accountId), await world.token(accountId)];
  const [{ notified, open }] = await Promise.all([
    runGenerations(world, token, accountId),
    buyPacks(world, buyer.token),
  ]);
  await runSubscriptions(world, buyer.token);
  await delivered(world, notified);
  await operate(world, opened, notified);
  await delivered(world, notified);

  const outage = await world.token(accountId);
  await runOutages(world, { token: outage.token, accountId, notified: notified, open });
  await switchOff(world);
  world.service.advance(staleMs);
  await world.call('generateVoice', { ...order(world, 'done'), token: outage.token });

  await world.service.plant(world.words.planted);
  await world.call('listPlans');
  await world.call('listPlans');
  for (const page of ['/openapi.json', '/docs']) await world.ask('GET', page);
}
