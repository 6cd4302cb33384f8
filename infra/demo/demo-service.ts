/** The demo's own service: in memory, on a free port, with an account, and removed completely afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CouponEntry } from '../../shared/catalog/coupons.ts';
import type { BillingCase } from '../../shared/domain/billing/billing-case.ts';
import { accountWithToken, type DemoAccount, demoAccount } from '../local/demo-account.ts';
import { type ServiceOptions, startService } from '../local/host.ts';

export interface DemoService extends DemoAccount {
  readonly url: string;
  /** The service's folder, which is removed when the service closes. */
  readonly dataDir: string;
  /** The URL of the sandbox for PIX payments. */
  readonly pixSandboxUrl: string;
  /** Creates another account without credits or a plan, and returns its token. */
  openAccount(): Promise<string>;
  /** The open cases that operators see, oldest first. */
  openCases(): Promise<readonly BillingCase[]>;
  close(): Promise<void>;
}

interface DemoServiceOptions extends Pick<ServiceOptions, 'engine' | 'onDatabaseExit'> {
  readonly coupons: readonly CouponEntry[];
}

/** @throws {Error} if a part of the service cannot start */
export async function startDemoService({ coupons, ...options }: DemoServiceOptions): Promise<DemoService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-demo-'));
  // Removes the folder when the process exits, after the parts of the service that write to it have stopped.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const service = await startService({
    ...options,
    port: 0,
    dataDir,
    inMemory: true,
    urlPolicy: 'local',
    engineCompletion: 'callback',
  });
  try {
    // Done first, because readers cache the catalog for half a minute.
    await service.context.catalog.change('coupons', { coupons });
    return {
      url: service.url,
      dataDir,
      pixSandboxUrl: service.payments.url,
      openAccount: async () => (await accountWithToken(service.context, {})).token,
      openCases: () => service.context.cases.list({ onlyOpen: true }),
      ...(await demoAccount(service.context, dataDir)),
      close: () => service.close(),
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}
