/** The default settings of Studio videos: where a video takes place. */
import type { StudioSetting } from './studio.ts';

export const defaultSettings: readonly StudioSetting[] = [
  {
    id: 'estudio-claro',
    name: 'Estúdio claro',
    description: 'Fundo claro, luz suave e nenhuma distração.',
    direction: 'a bright photo studio with a seamless light backdrop and soft, even light',
  },
  {
    id: 'cozinha',
    name: 'Cozinha aconchegante',
    description: 'Bancada de madeira, azulejos e luz da manhã.',
    direction: 'a cozy kitchen with a wooden counter, tiles and morning light',
  },
  {
    id: 'banheiro-spa',
    name: 'Banheiro spa',
    description: 'Pedra clara, plantas e clima de autocuidado.',
    direction: 'a spa-like bathroom with pale stone, plants and a calm, fresh mood',
  },
  {
    id: 'quarto',
    name: 'Quarto',
    description: 'Cama arrumada, abajur aceso e luz quente.',
    direction: 'a tidy bedroom with a bedside lamp and warm light',
  },
  {
    id: 'escritorio',
    name: 'Escritório moderno',
    description: 'Mesa organizada, janela ampla e tons neutros.',
    direction: 'a modern office with a tidy desk, a large window and neutral tones',
  },
  {
    id: 'academia',
    name: 'Academia',
    description: 'Pesos, espelhos e luz forte para produtos de movimento.',
    direction: 'a gym with weights, mirrors and strong, contrasty light',
  },
  {
    id: 'cafeteria',
    name: 'Cafeteria',
    description: 'Balcão de café, lâmpadas pendentes e clima de encontro.',
    direction: 'a coffee shop with a counter, hanging lamps and a sociable mood',
  },
  {
    id: 'jardim',
    name: 'Jardim',
    description: 'Folhas verdes, céu aberto e luz do dia.',
    direction: 'a garden with green leaves, an open sky and daylight',
  },
  {
    id: 'praia-por-do-sol',
    name: 'Praia ao pôr do sol',
    description: 'Mar calmo, areia e céu alaranjado.',
    direction: 'a beach at sunset with a calm sea, sand and an orange sky',
  },
  {
    id: 'cidade-a-noite',
    name: 'Cidade à noite',
    description: 'Prédios iluminados e luzes de neon.',
    direction: 'a city at night with lit buildings and neon lights',
  },
];
