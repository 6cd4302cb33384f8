/** The places, times of day and weather that prompts name. */

const lists = <Name extends string>(words: Readonly<Record<Name, string>>): ReadonlyMap<string, Name> =>
  new Map(
    Object.entries<string>(words).flatMap(([name, list]) =>
      list.split(' ').map((word) => [word.replaceAll('_', ' '), name as Name] as const),
    ),
  );

const placeWords = {
  lighthouse: 'lighthouse farol farois',
  underwater: 'underwater fundo_do_oceano coral reef recife fundo_do_mar',
  sea: 'bay harbor harbour baia porto sea seas ocean oceano mar mares wave waves onda ondas',
  beach: 'beach beaches praia praias seaside litoral island ilha shore',
  river: 'canal canals stream creek river rivers lake lakes pond rio lago lagoa lagoas riacho corrego',
  desert: 'desert deserts deserto dune dunes duna dunas sand areia',
  snowfield: 'ice gelo arctic antarctica artico antartida polar iceberg glacier geleira',
  mountains:
    'mountain mountains valley valleys hill hills montanha montanhas serra serras vale vales colina colinas cliff',
  city: 'city cities cityscape street streets skyline skyscraper skyscrapers downtown cidade cidades rua ruas predios',
  woods:
    'forest forests woods jungle rainforest trees national_park parque_nacional floresta florestas bosque bosques selva mata arvores amazonia',
  farm: 'farm farms field fields meadow prairie grass hay savanna fazenda campo campos pasto savana gramado plantacao',
  garden: 'garden gardens park parks backyard jardim jardins parque parques quintal',
  road: 'road roads motorway highway estrada estradas rodovia avenida',
  space:
    'space on_the_moon na_lua milky_way via_lactea galaxy outer_space cosmos universe orbit espaco galaxia universo orbita planetas',
  stage: 'stage concert spotlight spotlights palco show circo circus holofote holofotes',
  stadium: 'stadium stadiums arena soccer_field football_field estadio estadios campo_de_futebol torcida',
  kitchen: 'kitchen kitchens cozinha cozinhas restaurant restaurante',
  bathroom: 'bathroom bathrooms spa banheiro banheiros',
  bedroom: 'bedroom bedrooms quarto quartos bed cama',
  office: 'office offices escritorio escritorios desk classroom school library escola biblioteca sala_de_aula',
  gym: 'gym gyms academia academias',
  cafe: 'coffee_shop coffee_shops cafeteria cafeterias bar diner',
  studio: 'studio studios estudio estudios',
  room: 'room rooms living_room sofa couch sala table mesa window janela shelf estante interior inside chao floor',
} as const;

export type PlaceName = keyof typeof placeWords;

const lightWords = {
  night:
    'night midnight nighttime moonlight starry stars moonlit noite noites noturno noturna madrugada luar estrelas estrelado estrelada',
  sunset: 'sunset dusk evening por_do_sol entardecer anoitecer crepusculo tardinha',
  dawn: 'dawn sunrise morning amanhecer amanhecendo aurora alvorada manha nascer_do_sol',
} as const;

export type LightName = keyof typeof lightWords | 'day';

const weatherWords = {
  rain: 'rain raining rainy chuva chovendo chuvoso chuvosa',
  snow: 'snow snowing snowy snowfall winter neve nevando nevado nevada inverno',
  fog: 'fog foggy mist misty haze nevoa neblina nevoeiro',
  storm: 'storm stormy thunderstorm lightning tempestade relampago relampagos raios',
  rainbow: 'rainbow rainbows arco_iris',
  clouds: 'cloudy clouds overcast nublado nuvens',
} as const;

export type WeatherName = keyof typeof weatherWords;

/** Words for what is part of every scene, so that they need no drawing. */
const everywhere = new Set(['sky', 'skies', 'ceu', 'air', 'horizon', 'horizonte', 'ground']);

const [places, lights, weathers] = [lists(placeWords), lists(lightWords), lists(weatherWords)];
const longestPhrase = 3;

/** The places, lights or weathers that the words name, in the order of the words. */
const namedIn = <Name>(names: ReadonlyMap<string, Name>, words: string): Name[] => {
  const parts = words.split(' ');
  return parts.flatMap((_, from) =>
    Array.from({ length: longestPhrase }, (__, index) => parts.slice(from, from + index + 1).join(' ')).flatMap(
      (phrase, index) => (from + index < parts.length ? (names.get(phrase) ?? []) : []),
    ),
  );
};

export const isScenery = (phrase: string): boolean =>
  everywhere.has(phrase) || [places, lights, weathers].some((names) => names.has(phrase));

/** Whether a phrase is the name of furniture, which stands for a room: “on the sofa”. */
export const isFurniture = (phrase: string): boolean =>
  ['bed', 'cama', 'sofa', 'couch', 'window', 'janela', 'desk'].includes(phrase);

export interface Scenery {
  /** The most specific place; none if no place is named. */
  readonly place: PlaceName | undefined;
  readonly light: LightName;
  readonly weather: readonly WeatherName[];
}

const placeOrder = Object.keys(placeWords) as PlaceName[];

export function sceneryOf(words: string): Scenery {
  const [place] = namedIn(places, words).toSorted((one, other) => placeOrder.indexOf(one) - placeOrder.indexOf(other));
  const [light = 'day'] = namedIn(lights, words);
  return { place, light, weather: [...new Set(namedIn(weathers, words))] };
}
