import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { demoProcess } from '../demo-process.ts';

it('the demo of payments passes every check, prints the ledger and saves a QR code for each order', async () => {
  const demo = demoProcess({ args: ['--billing'] });
  try {
    expect(await demo.ended, demo.stdout).toBe(0);
    expect(demo.stderr).toBe('');
    const lines = demo.stdout.split('\n').map((line) => line.trim());
    const checks = lines.filter((line) => line.startsWith('✓'));
    expect(lines).toContain(`All ${checks.length} passed.`);
    expect(checks.length).toBeGreaterThanOrEqual(7);
    expect(lines.filter((line) => line.startsWith('+500  purchase'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('-100  refund'))).toHaveLength(1);
    const codes = readdirSync(demo.outDir).filter((name) => /^pix-[a-z-]+\.png$/.test(name));
    expect(codes).toHaveLength(6);
  } finally {
    await demo.remove();
  }
});
