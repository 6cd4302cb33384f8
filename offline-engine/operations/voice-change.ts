/** `voice-change`: shifts the pitch and formants of a recorded voice towards those of one of the voices. */
import { join } from 'node:path';
import * as z from 'zod';
import { decodeRecording } from '../conversion/decode-recording.ts';
import { fetchRecording } from '../conversion/fetch-recording.ts';
import { moveVoice } from '../conversion/move-voice.ts';
import { personaTarget } from '../conversion/persona-target.ts';
import { ImageUrl } from '../image/image-url.ts';
import { operation } from '../operation.ts';
import { activeLoudnessDb, bytesOfSound, mixSounds, samplesPerSecond, secondsOfSound } from '../sound/sound.ts';
import { writeMp3 } from '../speech/mp3.ts';
import { VoiceFields, withPersona } from '../speech/voice-fields.ts';
import { inWorkFolder } from '../video/work-folder.ts';

const Input = z
  .object({ audioUrl: ImageUrl, ...VoiceFields, removeNoise: z.boolean().default(false) })
  .transform(withPersona);

export const voiceChange = operation(Input, async ({ audioUrl, removeNoise, ...conversion }, context) => {
  const { filesDir, fileStem, progress } = context;
  const sound = await inWorkFolder(context, async (folder) => {
    const recording = await fetchRecording(audioUrl, 'audioUrl', folder);
    progress(15);
    return decodeRecording(recording, removeNoise);
  });
  progress(40);
  const moved = moveVoice(sound, personaTarget(conversion));
  const changed = mixSounds(secondsOfSound(sound), [{ sound: moved, loudnessDb: activeLoudnessDb(sound) }]);
  progress(85);
  const fileName = `${fileStem}.mp3`;
  const source = { format: `f32le -ar ${samplesPerSecond} -ac 1`, bytes: bytesOfSound(changed) };
  await writeMp3(join(filesDir, fileName), source, {
    tag: {
      title: `${conversion.persona.name}, a sandbox voice`,
      language: 'und',
      comment: 'Changed by the offline engine (sandbox voice).',
    },
  });
  const tenths = Math.max(1, Math.round(secondsOfSound(changed) * 10));
  return [{ fileName, contentType: 'audio/mpeg', durationSec: tenths / 10 }];
});
