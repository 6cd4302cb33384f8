/** The price of a kind of job at an engine, in millionths of a US dollar. */
import * as z from 'zod';
import { once } from '../contracts/once.ts';

/** The unit of a price: a job, a file, a second of audio or video, a character of text, or 1000 tokens of a model. */
const units = ['job', 'output', 'second', 'character', '1000-tokens'] as const;

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
     * The price of one unit in which the provider itself states its charge, such as 1000 characters. If absent,
     * statements of the provider are ignored.
     */
    statedMicros: z.exactOptional(z.int().min(0).max(maxMicros)),
    /** The ways to end without a result for which the provider charges as for a result. */
    charged: z.array(z.enum(ends)).max(ends.length).readonly(),
  }),
);
export type EnginePrice = Readonly<z.output<ReturnType<typeof EnginePrice>>>;
