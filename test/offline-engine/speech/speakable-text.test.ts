import { describe, expect, it } from 'vitest';
import { espeak } from '../../../offline-engine/speech/espeak.ts';
import { namedPersona } from '../../../offline-engine/speech/persona.ts';
import { personaVariant } from '../../../offline-engine/speech/persona-variant.ts';
import { hasWords, speakableText } from '../../../offline-engine/speech/speakable-text.ts';

const bytesOfSpeech = async (text: string) => {
  const voice = personaVariant(namedPersona('sarah'), { stability: 0.5, similarityBoost: 0.75 });
  const order = { language: 'pt-br', text: speakableText(text), ...voice };
  return (await espeak(order)).length;
};

describe('a speakable text', () => {
  it('keeps the words and punctuation of an ordinary text unchanged', () => {
    const text = 'Olá! É "só" hoje: R$ 49,90 (50% off) — corre, São João d’El-Rei?';
    expect(speakableText(text)).toBe(text);
  });

  it('is one line without control characters, brackets, emoji or lone surrogates', () => {
    expect(speakableText('a\r\nb\0c\u0001d [[e]] 😀👍🏽 f\u200bg ❤️ 1️⃣ 🇧🇷 \ud83d')).toBe('a b c d e fg 1 \ufffd');
  });

  it('splits overlong words and numbers', () => {
    expect(speakableText('x'.repeat(130))).toBe(`${'x'.repeat(60)} ${'x'.repeat(60)} ${'x'.repeat(10)}`);
    expect(speakableText('1'.repeat(20))).toBe('111111111111111 11111');
  });

  it('contains all of a long text even without punctuation', async () => {
    const [few, many] = await Promise.all([bytesOfSpeech('999999 '.repeat(10)), bytesOfSpeech('999999 '.repeat(50))]);
    expect(many / few).toBeGreaterThan(4.5);
  });

  it('counts as having words if it contains a letter or a digit', () => {
    expect(['a', '7', '水', '!é!'].every(hasWords)).toBe(true);
    expect(['', '...', '%', '—', '\ufffd'].some(hasWords)).toBe(false);
  });
});
