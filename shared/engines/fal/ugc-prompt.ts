/** Builds the prompt for a video of a person who speaks a line, for parameters that the model has no fields for. */
import { ugcTextLength } from '../../contracts/generate-videos.ts';
import type { ModelRequest } from '../model.ts';
import { oneLine, quoted } from './prompt-text.ts';

type UgcRequest = ModelRequest<'video-ugc'>;

const styles: Readonly<Record<UgcRequest['template'], string>> = {
  general: 'Authentic user-generated video filmed with a phone, natural light, steady framing.',
  selfie: "Selfie video filmed at arm's length with a phone's front camera, slight natural sway, eye contact.",
  selling: 'Energetic sales video for social media, bright light, the product clearly shown to the camera.',
  asmr: 'Intimate ASMR video, extreme close-up, dim warm light, very slow and gentle movements close to the microphone.',
  podcast: 'Podcast video in a studio, the person speaks into a microphone, slow push-in of the camera.',
  car: 'Video filmed inside a car by a phone on the dashboard, slight vibration, daylight passing over the face.',
  'mirror-selfie': 'Mirror selfie video, the person films their own reflection with a phone in their hand.',
  stedicam: 'Smooth steadicam shot that glides around the person, cinematic framing.',
  cctv: 'Footage of a surveillance camera, high fixed angle, muted colors, slight noise.',
  handheld: 'Handheld documentary video, noticeable natural camera shake, spontaneous reframing.',
};

const voiceTypes: Readonly<Record<UgcRequest['voiceType'], string>> = {
  auto: '',
  sussurro: 'whispering',
  rouca: 'husky',
  aspera: 'rough',
  suave: 'soft',
  grave: 'deep',
  aguda: 'high-pitched',
  anasalada: 'nasal',
};

const emotions: Readonly<Record<UgcRequest['emotion'], string>> = {
  auto: '',
  feliz: 'happy',
  triste: 'sad',
  raiva: 'angry',
  medo: 'afraid',
  surpreso: 'surprised',
  nojo: 'disgusted',
  empolgado: 'excited',
  calmo: 'calm',
  brincalhao: 'playful',
  serio: 'serious',
  autoritario: 'authoritative',
};

const genders: Readonly<Record<UgcRequest['gender'], string>> = { auto: '', feminino: 'female', masculino: 'male' };

const languages: Readonly<Record<UgcRequest['language'], string>> = {
  auto: '',
  'pt-BR': 'Brazilian Portuguese',
  'pt-PT': 'European Portuguese',
  'en-US': 'American English',
  'es-ES': 'European Spanish',
};

const accents: Readonly<Record<UgcRequest['accent'], string>> = {
  auto: '',
  paulista: 'São Paulo',
  carioca: 'Rio de Janeiro',
  mineiro: 'Minas Gerais',
  nordestino: 'Brazilian Northeast',
};

/** Truncates the text, so that the prompt stays below the model's limit. */
const labeled = (label: string, text = ''): string => {
  const beginning = Array.from(oneLine(text)).slice(0, ugcTextLength).join('');
  return beginning === '' ? '' : `${label}: ${beginning}`;
};

const speechLine = ({ speech, language, accent }: UgcRequest): string => {
  const tongue = languages[language] && ` in ${languages[language]}`;
  const region = accents[accent] && ` with a ${accents[accent]} accent`;
  return `The person says${tongue}${region}, with matching lips: ${quoted(speech)}`;
};

const voiceLine = ({ gender, voiceType, emotion }: UgcRequest): string => {
  const voice = [genders[gender], voiceTypes[voiceType]].filter(Boolean).join(', ');
  return [voice && `Voice: ${voice}.`, emotions[emotion] && `Emotion in voice and face: ${emotions[emotion]}.`]
    .filter(Boolean)
    .join(' ');
};

const frames = ({ combinedImages }: UgcRequest): string =>
  combinedImages.length > 1
    ? 'One continuous, natural movement leads from the first frame to the last.'
    : 'The video begins and ends with the given frame and moves naturally in between.';

export const ugcPrompt = (request: UgcRequest): string =>
  [
    styles[request.template],
    frames(request),
    labeled('Action', request.action),
    speechLine(request),
    voiceLine(request),
    labeled('Product', request.productDescription),
    labeled('Background sound', request.backgroundSound) || 'Background sound: none besides a quiet room; no music.',
    'No subtitles, captions, logos or other text appear on the screen.',
  ]
    .filter(Boolean)
    .join('\n');
