/**
 * The words of prompts that do not name objects: colors, sizes, counts, positions, actions, styles, and words without a
 * drawing.
 */

const terms = <Meaning>(lists: readonly (readonly [Meaning, string])[]): ReadonlyMap<string, Meaning> =>
  new Map(lists.flatMap(([meaning, words]) => words.split(' ').map((word) => [word.replaceAll('_', ' '), meaning])));

/**
 * Hue in degrees, saturation and lightness in percent. Without a lightness, each shade of the drawing keeps its own.
 */
export interface Color {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness?: number;
}

export const colors = terms<Color>([
  [{ hue: 0, saturation: 78 }, 'red vermelho vermelha crimson scarlet'],
  [{ hue: 28, saturation: 92 }, 'orange alaranjado alaranjada'],
  [{ hue: 48, saturation: 92 }, 'yellow amarelo amarela'],
  [{ hue: 45, saturation: 75 }, 'golden gold dourado dourada'],
  [{ hue: 125, saturation: 52 }, 'green verde'],
  [{ hue: 180, saturation: 60 }, 'turquoise teal turquesa'],
  [{ hue: 215, saturation: 78 }, 'blue azul azuis'],
  [{ hue: 275, saturation: 58 }, 'purple violet roxo roxa lilas'],
  [{ hue: 330, saturation: 80 }, 'pink rosado rosada cor_de_rosa'],
  [{ hue: 25, saturation: 48, lightness: 38 }, 'brown marrom'],
  [{ hue: 220, saturation: 8, lightness: 20 }, 'black preto preta negro negra'],
  [{ hue: 210, saturation: 8, lightness: 92 }, 'white branco branca'],
  [{ hue: 210, saturation: 6, lightness: 58 }, 'gray grey silver cinza prateado prateada'],
]);

/** Portuguese words that name a color only behind a noun; elsewhere they name a flower or a fruit. */
export const colorsAfterNouns = terms<Color>([
  [{ hue: 330, saturation: 80 }, 'rosa'],
  [{ hue: 28, saturation: 92 }, 'laranja'],
  [{ hue: 275, saturation: 58 }, 'violeta'],
]);

/** The words for sizes, each with the factor by which it changes the usual size. */
export const sizes = terms<number>([
  [1.5, 'giant huge enormous gigantic gigante enorme imenso imensa'],
  [1.25, 'big large tall grande alto alta'],
  [0.7, 'small little short pequeno pequena baixo baixa'],
  [0.5, 'tiny minuscule minusculo minuscula'],
]);

export const counts = terms<number>([
  [1, '1 one a an um uma single lone'],
  [2, '2 two pair couple_of dois duas par casal_de'],
  [3, '3 three tres trio'],
  [4, '4 four quatro'],
  [5, '5 five cinco several varios varias some alguns algumas'],
  [6, '6 six seis group grupo'],
  [7, '7 seven sete'],
  [8, '8 eight oito'],
  [9, '9 nine nove many muitos muitas lots'],
  [10, '10 ten dez'],
  [12, '12 dozen twelve duzia doze field_of herd flock bando rebanho'],
]);

export type Position = 'beside' | 'on' | 'under' | 'worn';

export const positions = terms<Position>([
  ['on', 'on atop riding over above sobre acima em_cima montado montada montando'],
  ['under', 'under below beneath sob embaixo debaixo'],
  ['worn', 'wearing usando vestindo vestido_com'],
  ['beside', 'and with beside near next behind e com ao_lado perto atras'],
]);

export type Action = 'run' | 'jump' | 'fly' | 'swim' | 'dance' | 'turn' | 'fall' | 'sleep';

export const actions = terms<Action>([
  [
    'run',
    'run runs running walk walks walking drive drives driving race racing chasing kick kicks kicking throwing correr corre correndo andar anda andando caminhar caminha caminhando dirigindo passeando chutando chuta arremessando',
  ],
  ['jump', 'jump jumps jumping hop hopping bouncing leaping pular pula pulando saltar salta saltando'],
  ['fly', 'fly flies flying soaring floating hovering voar voa voando flutuar flutua flutuando planando'],
  ['swim', 'swim swims swimming sailing nadar nada nadando navegar navega navegando velejando'],
  ['dance', 'dance dances dancing swinging playing dancar danca dancando brincar brinca brincando balancando'],
  ['turn', 'spin spins spinning rotating rolling girar gira girando rolando rodando'],
  ['fall', 'falling falls cair cai caindo'],
  ['sleep', 'sleep sleeps sleeping dormir dorme dormindo'],
]);

/** Words that say that an object is on fire: those that follow the object, and English ones that precede it. */
export const burning = terms<'after' | 'before'>([
  ['after', 'on_fire in_flames em_chamas pegando_fogo em_fogo queimando ardendo incendiado incendiada'],
  ['before', 'burning flaming'],
]);

export type Style = 'photo' | 'watercolor' | 'pixels' | 'lines' | 'oil' | 'gray' | 'sepia';

export const styles = terms<Style>([
  ['photo', 'photo photograph photography photorealistic foto fotografia fotorrealista analog_film 35mm'],
  ['watercolor', 'watercolor watercolour aquarela'],
  ['pixels', 'pixel pixel_art 8_bit pixelado'],
  ['lines', 'line_art sketch lineart ink_drawing esboco traco desenho_a_lapis nanquim'],
  ['oil', 'oil_painting pintura_a_oleo impressionist impressionista'],
  ['gray', 'black_and_white monochrome preto_e_branco monocromatico'],
  ['sepia', 'sepia vintage_photo vintage_style retro_style old_photo foto_antiga fotografia_antiga estilo_retro'],
]);

/**
 * Words for which nothing is drawn, whatever emoji have them as keywords. Of food in a container, only the food is
 * drawn.
 */
export const unpictured: ReadonlySet<string> = new Set(
  `a an the of in at by to from for as is are its his her their this that which while where there it he she they very
  into through across around between against up down out off no not be being been has have having only just some all
  picture image drawing illustration painting scene view shot close up closeup portrait background foreground style
  art artwork render rendering high quality detailed cinematic beautiful lovely cute nice old young new happy sad funny
  angry hot cold warm fresh wooden wood metal glass stone plastic bright dark light soft colorful colourful vibrant
  modern ancient futuristic minimal minimalist realistic fantasy magical magic epic dramatic wide angle lens macro
  standing sitting looking holding eating drinking reading made top side front middle center day sunny quiet calm busy
  full crowded empty open closed long round fluffy furry shiny wild little lying smiling sits stands looks
  um uma uns umas o os as de do da dos das em no na nos nas ao aos pelo pela por para que se seu sua seus suas este esta
  esse essa ele ela muito muita mais bem como entre ate sem quando onde sendo esta estao foi ser tem tendo so todo toda
  imagem desenho ilustracao pintura cena vista plano fundo estilo arte alta qualidade detalhado detalhada cinematografico
  cinematografica bonito bonita lindo linda fofo fofa velho velha novo nova jovem feliz triste engracado quente frio fria
  fresco fresca madeira metal vidro pedra claro clara escuro escura suave colorido colorida vibrante moderno moderna
  antigo antiga futurista realista fantasia magico magica epico sentado sentada parado parada olhando segurando comendo
  bebendo lendo feito feita topo lado frente meio centro dia ensolarado ensolarada calmo calma cheio cheia lotado lotada vazio vazia
  aberto aberta fechado fechada longo longa redondo redonda peludo peluda brilhante selvagem deitado deitada sorrindo
  my our your minha meu minhas meus nosso nossa vintage retro parked estacionado estacionada covered coberto coberta
  dentro fora cima ainda sobre num numa noon flat landscape paisagem retrato
  holding_hands hand_in_hand maos_dadas plate_of bowl_of slice_of piece_of pile_of stack_of loaf_of basket_of bunch_of
  bottle_of jar_of box_of cup_of glass_of mug_of prato_de tigela_de fatia_de pedaco_de pilha_de cesta_de cacho_de
  garrafa_de pote_de caixa_de xicara_de copo_de taca_de bandeja_de`
    .split(/\s+/)
    .map((phrase) => phrase.replaceAll('_', ' ')),
);

/** Words that tell in which language a prompt is. */
export const portugueseWords = /\b(um|uma|de|do|da|dos|das|no|na|nos|nas|em|com|ao|e|o|os|sob|sobre|dois|duas)\b/g;
export const englishWords = /\b(an?|the|of|in|on|with|at|and|by|under|over|two|three)\b/g;
