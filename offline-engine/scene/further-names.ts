/**
 * Names that the emoji data lacks, in English and Portuguese, each with the emoji that is drawn for it. After `+`
 * follows an emoji that is drawn small beside it, after `&` one that is drawn as large; a word after `=` is a drawing
 * of the engine's own.
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
👵 grandmother grandma granny avo vovo senhora
👩 mother mom mum mae mamae wife esposa aunt tia
👨 father dad daddy pai papai husband marido uncle tio businessman
👧 daughter filha sister irma neta granddaughter
👦 son filho brother irmao neto grandson
🧒 kid toddler child crianca
🧑 teenager adolescente friend amigo amiga neighbor vizinho vizinha person pessoa tourist turista
👩&👨 couple casal lovers namorados
👰‍♀️&🤵‍♂️ newlyweds recem_casados noivos
👩&👨&👧 family familia
👩&👨 parents pais
👵&👴 grandparents avos
👩&🧔 friends amigos
👩&👧 amigas
👰‍♀️ bride noiva
🤵‍♂️ groom noivo waiter waitress garcom garconete butler mordomo
👩‍🏫 teacher professora
👨‍🏫 professor
🧑‍🎓 student estudante aluno aluna graduate formando formanda
🧑‍🔧 mechanic mecanico plumber encanador
👷 builder construction_worker pedreiro engineer engenheiro engenheira
👷+🪚 carpenter carpinteiro marceneiro
🧑‍🎨 painter pintor pintora artist artista
🧑‍🍳+🥖 baker padeiro padeira
👮 policeman policewoman cop policial
🕵️ detective detetive spy espiao
🧑‍⚖️ judge juiz juiza lawyer advogado advogada
🧑‍💼 businesswoman executive executivo executiva secretary secretaria
🧑‍🔬 scientist cientista
🧑‍💻 programmer programador programadora developer gamer
💂 soldier soldado guard guarda
🧑‍✈️+⛵ sailor marinheiro captain capitao
🤠 cowboy cowgirl vaqueiro peao gaucho
🏇+🛡️ knight cavaleiro
🥷 samurai
🧔+🪓 viking lumberjack lenhador
🤡 clown palhaco
🧙+🎩 magician magico ilusionista
🏊 swimmer nadador nadadora
🤸 gymnast ginasta acrobat acrobata capoeirista capoeira
🧗 climber escalador alpinista mountaineer
🚶+🎒 hiker mochileiro mochileira trekker
🚴 cyclist ciclista
🧘 yogi yoga meditating meditando
🎧&🎛️ dj
👩‍🎤 singer cantor cantora
🎸&🥁 band rock_band banda
🪘 pandeiro samba_de_roda roda_de_samba samba sambista
💃 passista carnavalesco carnavalesca carnival carnaval frevo forro
🎅 papai_noel santa
👹 monster monstro ogre ogro
💀 skeleton esqueleto
🐔 hen galinha
🐤 chick pintinho
🐸 toad perereca
🐋 orca
🐠 clownfish goldfish peixinho peixe_dourado betta
🐡 piranha
=starfish starfish estrela_do_mar
=toucan toucan tucano
🐦‍⬛ crow raven corvo urubu vulture
🐦 woodpecker pica_pau quero_quero joao_de_barro
🦤 ostrich avestruz ema
🦢 pelican pelicano heron garca
🐴 jumento
=seahorse seahorse cavalo_marinho
🐶 pug poodle vira_lata_caramelo
🦫 capivara capybara
🦔 tatu armadillo porco_espinho
🐹 guinea_pig porquinho_da_india
🦏 rhino rinoceronte
🐬 boto boto_cor_de_rosa
🐍 sucuri anaconda jiboia python
🦇 morcego
🪲 besouro firefly vaga_lume fireflies vaga_lumes
🪰 dragonfly libelula
🍢 acaraje
🥟 pastel_de_feira pasteis um_pastel pastel_de_carne pastel_de_queijo empanada dumpling ravioli
🍗 coxinha roast_chicken frango_assado frango
🍫 brigadeiro brigadeiros brownie pacoca
🍞&🧀 pao_de_queijo paes_de_queijo
🍨 acai sundae
🫓 tapioca beiju crepe
🍹 caipirinha smoothie vitamina
🧉 chimarrao mate terere
🥤 guarana milkshake lemonade limonada refrigerante soda suco suco_de_laranja orange_juice caldo_de_cana juice
🥥 agua_de_coco coconut_water
🍲 caldo soup sopa stew
🍖 churrasco ribs costela
🥩 picanha steak bife
🌭 linguica sausage salsicha
🥓 presunto ham
🍡 picole popsicle espetinho skewer
🍵 tea cha
☕ coffee cafezinho
🛍️ shopping_bag sacola sacola_de_compras
❓ question_mark ponto_de_interrogacao
🍝 spaghetti espaguete pasta
🥔 mandioca aipim batata
🥭 mamao papaya
🎃 pumpkin abobora
🍬 candy bala balas doce doces
🏠&🍪 gingerbread_house casa_de_biscoito
🎂 wedding_cake bolo_de_casamento bolo_de_aniversario birthday_cake
🍊 oranges laranja tangerina mexerica bergamota
🫖 kettle chaleira bule
🏺 vase vaso pot urn jar jarra clay_pot
💐 vaso_de_flores vase_of_flowers bouquet buque
🪴 vaso_de_planta potted_plant flower_pot houseplant bonsai samambaia fern
🌸 orchid orquidea cherry_tree cerejeira hibiscus hibisco
🪷 nenufar water_lily
=hammock hammock rede rede_de_dormir
=fridge fridge refrigerator geladeira
=pyramid pyramid piramide
=igloo igloo iglu
=barn barn celeiro
=submarine submarine submarino
=christ-the-redeemer cristo_redentor christ_the_redeemer
⌚ wristwatch watch relogio_de_pulso
⏰ alarm_clock despertador
🕰️ clock relogio relogio_antigo pocket_watch
🌐 globe
🎠 carousel carrossel merry_go_round
=scarecrow scarecrow espantalho
🪑 armchair poltrona rocking_chair cadeira_de_balanco bench banco_de_praca banco
🛝 slide escorregador swing balanco playground parquinho
✂️ scissors tesoura
🧸 puppet fantoche plush pelucia
📿 necklace colar
🗡️ sword espada katana
⚔️ swords espadas
💰 treasure tesouro treasure_chest bau_do_tesouro
🏄 surfboard prancha_de_surfe
🛶 kayak caiaque raft jangadinha
🛥️ yacht iate
🛷 sleigh treno
🏎️ race_car go_kart kart carro_de_corrida
🚂 steam_locomotive steam_train maria_fumaca trem_a_vapor
🚌 school_bus onibus_escolar
🛕 temple templo
🏘️ favela vilarejo town
🏠&🌳 treehouse casa_na_arvore
🏪 bakery padaria shop loja store supermarket supermercado mercado mercadinho lanchonete
📚&🏪 bookstore bookshop livraria
⛽ gas_station posto_de_gasolina
🎪 circus_tent circo barraca_de_circo
⛺ barraca acampamento campsite
🪜 stairs staircase escadaria
🚪 gate portao
🧺&🍎 picnic piquenique
🎉 festa_junina party festa celebration
🫧 bubbles bolhas bolhas_de_sabao soap_bubbles
🧑‍🚀 cosmonaut
🦸 superhero super_heroi heroi heroina
🦖 t_rex tiranossauro
🪁 papagaio_de_pipa
👴 grandfather grandpa avoh vovoh vovozinho senhor
⚽ futebol soccer football
🏃+⚽ time_de_futebol soccer_team
🍎&🍌&🍇 fruit fruits frutas fruit_basket cesta_de_frutas
`;

/** By name, the emoji that are drawn for it, in the notation explained above. */
export const furtherNames: ReadonlyMap<string, string> = new Map(
  lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [emoji = '', ...names] = line.split(' ');
      return names.map((name) => [name.replaceAll('_', ' '), emoji] as const);
    }),
);
