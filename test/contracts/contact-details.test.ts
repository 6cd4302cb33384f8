/** Contact details in texts: which texts are recognized, and which only look like contact details. */
import { describe, expect, test } from 'vitest';
import { hasContactDetails } from '../../shared/contracts/contact-details.ts';

describe('contact details in a text', () => {
  test.for([
    'Compre em https://loja.example/promo',
    'Veja www.loja',
    'Compre em loja.xyz agora',
    'Tudo em Minha-Loja.TOP',
    'em bit.ly/abc',
    'em café.com',
    'loja．ｃｏｍ',
    'loja。com',
    'loja .com',
    'Acesse loja ponto com',
    'Siga @fulano',
    'Siga ＠fulano',
    'ana@example.com',
    'Ligue (11) 91234-5678',
    'Ligue 3333-4444',
    'WhatsApp +55 11 9 1234 5678',
    'Ligue 11.91234.5678',
    'Ligue １１９１２３４５６７８',
  ])('are found in "%s"', (text) => {
    expect(hasContactDetails(text)).toBe(true);
  });

  test.for([
    'Por que ninguém fala disto?',
    'Acabou. Com ele, começou tudo.',
    'O Dr. Silva, Ph.D., às 9 a.m.',
    'Faturei 1.000.000 em 30 dias',
    'De 2019-2024: o que mudou',
    'A crise de 2008 / 2009',
    'Aprenda Node.js em 10.5 minutos',
    'Fim... e agora?',
    'これは面白い。次は？',
  ])('are not found in "%s"', (text) => {
    expect(hasContactDetails(text)).toBe(false);
  });
});
