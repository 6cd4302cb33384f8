/** Orders credit packs, and checks what a payer gets: a code, and a QR code that contains it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import jsqr from 'jsqr';
import sharp from 'sharp';
import type { Client } from '../../../client/client.ts';
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import { widthOf } from '../order.ts';
import { shownPath } from '../steps/save-results.ts';
import type { Purchase } from './purchases.ts';

type Creation = Awaited<ReturnType<Client['createCreditOrder']>>;
export type CreditOrder = Creation['data'];

export interface Placed {
  readonly purchase: Purchase;
  readonly order: CreditOrder;
}

const payer = { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' };

const keyOf = ({ name }: Purchase): string => `demo-order-${name}`;

export const qrFileOf = ({ name }: Purchase): string => `pix-${name}.png`;

const send = ({ api }: Demo, purchase: Purchase, signal: AbortSignal): Promise<Creation> =>
  api(signal).createCreditOrder({ body: { packId: purchase.packId, payer }, idempotencyKey: keyOf(purchase) });

async function codeIn(png: Buffer): Promise<string | undefined> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

async function problemsOf({ name }: Purchase, { status, data }: Creation, png: Buffer): Promise<readonly string[]> {
  return [
    ...unless(status === 201 && data.status === 'pending', `${name} got status ${status} and is ${data.status}`),
    ...unless((await codeIn(png)) === data.pix?.qrCode, `the QR code of ${name} does not show its code`),
  ];
}

export async function placeOrders(
  demo: Demo,
  purchases: readonly Purchase[],
  signal: AbortSignal,
): Promise<readonly Placed[]> {
  const { checks, outDir, screen } = demo;
  const placed: Placed[] = [];
  const problems: string[] = [];
  const nameWidth = widthOf(purchases);
  for (const purchase of purchases) {
    const creation = await send(demo, purchase, signal);
    const { id, status, amount, credits, pix } = creation.data;
    const png = Buffer.from(pix?.qrCodeBase64.split(',')[1] ?? '', 'base64');
    const path = join(outDir, qrFileOf(purchase));
    await writeFile(path, png, { signal });
    const shown = `${creation.status} ${JSON.stringify({ id, status, amount, credits })}`;
    screen.line(`${purchase.name.padEnd(nameWidth)}  ${screen.style('dim', shown)}  ${shownPath(path)}`);
    problems.push(...(await problemsOf(purchase, creation, png)));
    placed.push({ purchase, order: creation.data });
  }
  checks.report('ordered', problems);
  return placed;
}

/** Repeats an order like a client that did not receive the response. */
export async function repeatOrder(demo: Demo, { purchase, order }: Placed, signal: AbortSignal): Promise<void> {
  const { headers, data } = await send(demo, purchase, signal);
  const replayed = headers.get('idempotent-replayed');
  demo.screen.line(`Idempotent-Replayed: ${replayed}, the same order: ${data.id === order.id ? 'yes' : 'NO'}`);
  demo.checks.report('replayed', [
    ...unless(data.id === order.id && data.pix?.qrCode === order.pix?.qrCode, 'the order differs'),
    ...unless(replayed === 'true', 'the response is not marked with Idempotent-Replayed'),
  ]);
}
