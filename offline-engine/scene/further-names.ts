/**
 * Names that the data of emoji lacks, in English and Portuguese: for each emoji, what it can show. Two emoji are shown
 * together; a word after `=` is a drawing of the engine's own.
 */
const lines = `
🐕 dog retriever labrador bulldog beagle husky corgi terrier dachshund collie hound puppy vira_lata vira_latas filhote
🐈 cat gato kitten siamese persian siames
🐦 bird passaro beija_flor hummingbird pardal sparrow robin canario canary gaivota seagull tucano toucan bem_te_vi sabia
🦜 arara macaw papagaio
🐎 mare pony egua potro poney mustang
🐄 bull boi touro
🐟 salmon tuna salmao atum sardinha trout
🦎 iguana gecko lagartixa calango
🐒 gorila chimpanzee chimpanze mico
🐆 onca onca_pintada jaguar cheetah puma
🐊 jacare
🐛 lagarta
🌳 tree ipe ipe_amarelo carvalho oak mangueira jacaranda figueira
🌴 bananeira
🌼 flower flor daisy margarida jasmim
🌻 sunflower
🌾 wheat trigo
🪷 vitoria_regia
🍲 feijoada moqueca casserole ensopado guisado
🍝 lasagna lasanha macarronada noodles macarrao
🍰 pudim cheesecake torta pie
🎂 cake bolo
🍦 sorvete
🍚 rice_bowl arroz_e_feijao
☕ cup mug caneca xicara espresso cappuccino
🍷 vinho
🚗 car fusca beetle sedan jeep carro_antigo cadillac convertible
🚚 truck
🚒 fire_truck fire_engine caminhao_de_bombeiro caminhao_de_bombeiros carro_de_bombeiros
🛵 lambreta vespa
🚢 ship navio cruise_ship
⛵ sailboat jangada veleiro
🚤 lancha
🚀 foguete foguetao
🛸 spaceship nave_espacial disco_voador
🎈 balao
=hot-air-balloon hot_air_balloon balao_de_ar_quente balao_tripulado
🪁 kite pipa papagaio_de_papel
🎡 ferris_wheel roda_gigante
🏠 house townhouse sobrado
🛖 cabin cabana chale chalet cottage barraco
🏢 predio apartment_building apartamento
🏘️ village vila aldeia
🏰 palace palacio fortress fortaleza
=waterfall waterfall cachoeira cascata queda_d_agua
=windmill windmill moinho moinho_de_vento catavento
=bridge bridge ponte viaduct viaduto
🗿 statue estatua
🔥 campfire fogueira lareira fireplace
💡 lamp abajur luminaria lampada
🕯️ vela
⌨️ typewriter maquina_de_escrever
🛹 skateboarder skatista
🥁 drummer baterista
🎸 violao guitarist guitarrista ukulele
🎹 piano grand_piano pianist pianista
🎻 violinist violinista
💃 ballerina bailarina ballet_dancer dancer dancarina
🕺 dancarino bailarino
🏃 runner athlete corredor corredora atleta player jogador jogadora
🏃+⚽ soccer_player football_player jogador_de_futebol jogadora_de_futebol futebolista goleiro
⛹️ basketball_player jogador_de_basquete jogadora_de_basquete
🏃+🎾 tennis_player tenista jogador_de_tenis jogadora_de_tenis
🏃+🏐 volleyball_player jogador_de_volei jogadora_de_volei
🥊 boxer boxeador boxeadora
🏄 surfer surfista
🎣 fisherman pescador angler
🧑‍🌾 fazendeiro agricultor
🧑‍🍳 chef cozinheiro cozinheira
🧑‍⚕️ doctor nurse enfermeira
👨‍⚕️ medico
👩‍⚕️ medica
🤹 juggler malabarista
🤴 king rei
👸 queen rainha princesa
🧙‍♀️ witch bruxa
🧙 wizard mago
🏴‍☠️ pirate pirata
👟 shoe sneaker tenis
🥾 bota boots boot
👕 camisa shirt
👒 hat
👓 oculos
💍 anel
⚽ ball bola
🌕 moon lua
🍫 chocolate
🦉 coruja
🐘 elefante
🦒 girafa
🐑 sheep ovelha
`;

/** What is shown for each name, in plain words. */
export const furtherNames: ReadonlyMap<string, string> = new Map(
  lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [emoji = '', ...names] = line.split(' ');
      return names.map((name) => [name.replaceAll('_', ' '), emoji] as const);
    }),
);
