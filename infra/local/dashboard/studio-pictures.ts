/** The pictures of the Studio's default catalog, which the dashboard shows: scenes that the offline engine draws. */
import { join } from 'node:path';
import { pipelineOf } from '../../../offline-engine/image/image.ts';
import { drawScene } from '../../../offline-engine/scene/draw-scene.ts';

/** The scene for each mode, hook and setting; every word in it has a drawing. */
const scenes: Readonly<Record<string, string>> = {
  depoimento: 'a woman with a gift and a speech balloon in a living room',
  unboxing: 'a package and a gift on a table',
  'passo-a-passo': 'three footprints and a check mark button in a studio',
  narracao: 'a microphone and a gift on a stage',
  'oferta-relampago': 'shopping bags and a high voltage',
  vitrine: 'a gem stone in the spotlight',
  provador: 'a dress and a mirror in a bedroom',
  'estilo-de-vida': 'a woman with a coffee in a garden at sunset',
  'pergunta-direta': 'a man and a question mark',
  'segredo-revelado': 'a shushing face and a key',
  'erro-comum': 'a cross mark and a person gesturing no',
  'antes-e-depois': 'a bug and a butterfly',
  'primeira-impressao': 'a star-struck and a gift',
  'lista-rapida': 'three glowing stars and a clipboard',
  desafio: 'a trophy and a flexed biceps',
  novidade: 'a rocket and sparkles',
  'ultima-chance': 'an alarm clock and a fire',
  'historia-pessoal': 'an open book and a woman',
  'estudio-claro': 'a movie camera in a studio',
  cozinha: 'a pot of food in a kitchen',
  'banheiro-spa': 'a bathtub and a potted plant in a bathroom',
  quarto: 'a lamp in a bedroom',
  escritorio: 'a laptop and a chair in an office',
  academia: 'a person lifting weights in a gym',
  cafeteria: 'a coffee and a croissant in a coffee shop',
  jardim: 'a potted plant and a butterfly in a garden',
  'praia-por-do-sol': 'a palm tree on the beach at sunset',
  'cidade-a-noite': 'a taxi in the city at night',
};

/** Twice the size at which they are shown. */
const size = { width: 192, height: 128 } as const;

/** Writes a picture for each entry into the folder of the pages, at the URL by which they show it. */
export async function drawStudioPictures(folder: string): Promise<void> {
  for (const [id, prompt] of Object.entries(scenes)) {
    const image = await drawScene({ prompt, seed: id, size });
    await pipelineOf(image)
      .webp({ quality: 70 })
      .toFile(join(folder, `studio-${id}.webp`));
  }
}
