/** The price of a kind of job at an engine, in millionths of a US dollar. */
import * as z from 'zod';
import { once } from '../contracts/once.ts';

/** What a price is per: a job, a file, a second of audio or video, or a character of text. */
const units = ['job', 'output', 'second', 'character'] as const;

/** How a job can end without a result, although its provider may charge for it in full. */
const ends = ['rejected', 'failed', 'canceled', 'lost'] as const;
export type ChargedEnd = (typeof ends)[number];

/** The highest price that can be set, in millionths of a dollar: a thousand dollars. */
export const maxMicros = 1_000_000_000;

export const EnginePrice = once(() =>
  z.strictObject({
    per: z.enum(units),
    micros: z.int().min(0).max(maxMicros),
    /**
     * The price of one of the units in which the provider itself states a charge, such as 1000 characters. Without it,
     * what the provider states is ignored.
     */
    statedMicros: z.exactOptional(z.int().min(0).max(maxMicros)),
    /** The ends without a result that are charged like a result. */
    charged: z.array(z.enum(ends)).max(ends.length).readonly(),
  }),
);
export type EnginePrice = Readonly<z.output<ReturnType<typeof EnginePrice>>>;
