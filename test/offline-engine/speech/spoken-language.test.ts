import { describe, expect, it } from 'vitest';
import { spokenLanguage } from '../../../offline-engine/speech/spoken-language.ts';

describe('the detected language of a text', () => {
  it.each([
    'Olá',
    'Oi, tudo bem?',
    'Bom dia',
    'Promoção imperdível',
    'PROMOÇÃO RELÂMPAGO',
    'Meu nome é Ana',
    'Clique no link',
    'Não perca',
    'A vida é bela',
    'Teste de voz',
    'Fala galera',
    'nosso produto novo chegou na loja',
    'voce vai amar',
    'Pele macia em 7 dias',
    'Experimente sem compromisso',
    'Segue a gente',
    'Quanto custa?',
    'Vale a pena',
    'Comida caseira',
    'O vi\u0301deo ficou pronto',
  ])('is Portuguese for “%s”', async (text) => expect(await spokenLanguage(text)).toBe('pt'));

  it.each([
    'Hello',
    'Good morning',
    'Buy now',
    'My name is Ana',
    'Thank you',
    'I love you',
    'Test',
    'Limited time offer',
    'Link in bio',
    'Swipe up',
    'Visit São Paulo today',
    'Jalapeño burgers are here',
    'Worth every penny',
    'Our team is ready to help',
    'LET’S GO',
  ])('is English for “%s”', async (text) => expect(await spokenLanguage(text)).toBe('en'));

  it.each([
    'Hola',
    '¿Qué tal?',
    'Buenos días',
    'Me llamo Ana',
    'Gracias',
    'Prueba de voz',
    'mañana',
    'Síguenos',
    'Los precios más bajos',
    'Mira el enlace en la biografía',
    'Comida para toda la familia y los amigos',
    'Trabajo desde casa',
    '¡Corre!',
    'El Black Friday está aquí',
    'Nuestro equipo está listo para ayudarte',
  ])('is Spanish for “%s”', async (text) => expect(await spokenLanguage(text)).toBe('es'));

  it.each(['', '123', '...', 'xyz', '你好'])('is Portuguese by default, for example for “%s”', async (text) =>
    expect(await spokenLanguage(text)).toBe('pt'),
  );
});
