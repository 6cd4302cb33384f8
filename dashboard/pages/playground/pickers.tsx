/** Fields whose values another operation lists: voices, the Studio's catalog, products and avatars. */
import type { FunctionComponent } from 'react';
import { publicContracts } from '../../../shared/contracts/public.ts';
import { studioCatalogContracts, studioCostSeconds } from '../../../shared/contracts/studio-catalog.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PlayButton } from '../../parts/play-button.tsx';
import { type Card, Cards } from './cards.tsx';
import type { FieldProps } from './field-input.tsx';
import type { Pickers } from './form-fields.tsx';
import { Picture } from './picture.tsx';
import { AvatarPicker, ProductPicker } from './studio-things.tsx';
import { useTexts } from './use-texts.ts';

/** Voices seldom change while the page is open. */
const rarely = { staleTime: 300_000 } as const;

/** A service that was started for the first time records its voices within its first minute. */
const untilRecorded = { everyMs: 5000, times: 12 } as const;

function VoicePicker({ label, values, error, onChange }: FieldProps) {
  const texts = useTexts();
  const { locale } = useLanguage();
  const languages = new Intl.DisplayNames(locale, { type: 'language' });
  const query = useApi(
    publicContracts.listVoices,
    {},
    {
      ...rarely,
      refetchInterval: ({ state: { data, dataUpdateCount } }) =>
        dataUpdateCount <= untilRecorded.times && data?.voices.some(({ previewUrl }) => previewUrl === null)
          ? untilRecorded.everyMs
          : false,
    },
  );
  return (
    <Loaded query={query}>
      {({ voices }) => (
        <Cards
          label={label}
          isRequired
          value={values.voice ?? values.voiceId}
          error={error}
          cards={voices.map(({ id, slug, name, language, gender, style, previewUrl }) => ({
            value: slug ?? id,
            title: name,
            text: [languages.of(language), texts.genders[gender], style].filter(Boolean).join(' · '),
            ...(previewUrl !== null && { end: <PlayButton url={previewUrl} of={name} /> }),
          }))}
          onChange={(chosen) => {
            const isNamed = voices.some(({ slug }) => slug === chosen);
            onChange(isNamed ? chosen : undefined, { voiceId: isNamed ? undefined : chosen });
          }}
        />
      )}
    </Loaded>
  );
}

const useCatalog = (mode: FieldProps['mode']) => useApi(studioCatalogContracts.getStudioCatalog, { mode }, rarely);

function ModePicker({ label, mode, values, value, error, onChange }: FieldProps) {
  const texts = useTexts();
  const { credits, format } = useLanguage();
  const resolution = values.resolution === '480p' ? '480p' : '720p';
  return (
    <Loaded query={useCatalog(mode)}>
      {({ modes }) => (
        <Cards
          label={label}
          isRequired
          value={value}
          error={error}
          cards={modes.map(({ slug, name, description, avatarPolicy, costsByResolution, speechPolicy }) => ({
            value: slug,
            title: name,
            text: [
              description,
              ...(avatarPolicy === 'optional' ? [] : [texts.avatarPolicies[avatarPolicy]]),
              ...(speechPolicy === 'optional' ? [] : [texts.withoutSpeech]),
              texts.modeCosts(credits(costsByResolution[resolution]), format.duration(studioCostSeconds)),
            ].join(' · '),
            picture: <Picture of={slug} />,
          }))}
          onChange={onChange}
        />
      )}
    </Loaded>
  );
}

/** Hooks or settings, none of which is needed. */
const entryPicker = (part: 'hooks' | 'settings'): FunctionComponent<FieldProps> =>
  function EntryPicker({ label, mode, value, error, onChange }) {
    const texts = useTexts();
    const none: Card = { value: '', title: texts.none };
    return (
      <Loaded query={useCatalog(mode)}>
        {(catalog) => (
          <Cards
            label={label}
            isRequired={false}
            value={value}
            error={error}
            cards={[
              none,
              ...catalog[part].map(({ id, name, description }) => ({
                value: id,
                title: name,
                text: description,
                picture: <Picture of={id} />,
              })),
            ]}
            onChange={onChange}
          />
        )}
      </Loaded>
    );
  };

export const pickers: Pickers = {
  voice: VoicePicker,
  mode: ModePicker,
  hookId: entryPicker('hooks'),
  settingId: entryPicker('settings'),
  productId: ProductPicker,
  avatarId: AvatarPicker,
};
