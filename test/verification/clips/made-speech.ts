/** Speech with known silences. */
import { espeak } from '../../../offline-engine/speech/espeak.ts';
import { namedPersona } from '../../../offline-engine/speech/persona.ts';
import { personaVariant } from '../../../offline-engine/speech/persona-variant.ts';
import { wavOf } from '../../../offline-engine/speech/wav.ts';

export interface Silence {
  readonly start: number;
  readonly end: number;
}

export interface MadeSpeech {
  readonly wav: Buffer;
  readonly silences: readonly Silence[];
}

const samplesPerSecond = 22_050;
const wavHeadBytes = 44;

/** Without commas, at which the voice would pause. */
const sentences = [
  'Bem vindos ao programa de hoje sobre pequenos negócios',
  'A primeira lição que aprendi foi ouvir os clientes antes de vender qualquer coisa',
  'Ninguém acreditava que a cafeteria sobreviveria ao primeiro inverno',
  'O segredo está nos grãos torrados na mesma semana',
  'No segundo ano dobramos a equipe e quase perdemos tudo',
  'Você precisa saber quanto custa cada xícara que serve',
  'Foi assim que um foguete de papel virou a nossa marca',
  'Perguntei ao meu gato e ele respondeu com um bocejo',
  'Quem mede o que faz aprende duas vezes mais depressa',
  'Obrigado por assistir e até a próxima semana',
];

/** Quieter than what counts as a pause. */
const audible = 0.02;

/** What is heard of a sentence: without the silence around it. */
async function spoken(text: string): Promise<Float32Array> {
  const expression = { stability: 0.4, similarityBoost: 0.75 };
  const persona = namedPersona('daniel');
  const wav = await espeak({ language: 'pt-br', text, ...personaVariant(persona, expression) });
  const samples = Float32Array.from(
    { length: (wav.length - wavHeadBytes) / 2 },
    (_, at) => wav.readInt16LE(wavHeadBytes + 2 * at) / 32_768,
  );
  const isAudible = (sample: number) => Math.abs(sample) > audible;
  return samples.subarray(samples.findIndex(isAudible), samples.findLastIndex(isAudible) + 1);
}

/** Between sentences in turn; the long one is a pause for thought. */
const silenceSeconds = [0.5, 0.9, 0.6, 1.4, 0.7, 5, 0.8];

/** Exactly so many samples; it begins and ends with silence. */
export async function makeSpeech(seconds: number): Promise<MadeSpeech> {
  const heard: Float32Array[] = [];
  for (const sentence of sentences) heard.push(await spoken(sentence));
  const samples = new Float32Array(Math.round(seconds * samplesPerSecond));
  const silences: Silence[] = [];
  let at = 0;
  for (let index = 0; ; index += 1) {
    const silence = Math.round((silenceSeconds[index % silenceSeconds.length] ?? 1) * samplesPerSecond);
    const sentence = heard[(index * 3) % heard.length] ?? samples.subarray(0, 0);
    const isLast = at + silence + sentence.length + samplesPerSecond > samples.length;
    const end = isLast ? samples.length : at + silence;
    silences.push({ start: at / samplesPerSecond, end: end / samplesPerSecond });
    if (isLast) return { wav: wavOf(samples, samplesPerSecond), silences };
    samples.set(sentence, end);
    at = end + sentence.length;
  }
}
