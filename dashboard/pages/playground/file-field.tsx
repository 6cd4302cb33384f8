/** A field for files: dropped, chosen, or given by their addresses. */
import { Input, Progress, Stack, Text } from '@mantine/core';
import { useId } from '@mantine/hooks';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { clipSeconds } from '../../../shared/contracts/generate-cortes.ts';
import { clipCounts } from '../../../shared/contracts/limits.ts';
import { type MediaType, mediaTypes, megabytes } from '../../../shared/contracts/media.ts';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import { ApiError } from '../../api/api-error.ts';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { Icon } from '../../parts/icon.tsx';
import { Address } from './address.tsx';
import type { Field } from './fields.ts';
import { GivenFiles } from './given-files.tsx';
import { typeOf } from './type-of.ts';
import { uploadFile } from './upload.ts';
import { useUploadedFiles } from './uploaded-files.ts';
import { useTexts } from './use-texts.ts';

type FilesField = Extract<Field, { kind: 'files' }>;

interface FileFieldProps {
  readonly field: FilesField;
  readonly label: string;
  readonly mode: TokenMode;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

const addressesIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value as readonly string[];
  return typeof value === 'string' && value !== '' ? [value] : [];
};

const gigabyte = 2 ** 30;

/** A limit in words. */
const sizeText = (bytes: number): string => (bytes % gigabyte === 0 ? `${bytes / gigabyte} GB` : megabytes(bytes));

interface Sent {
  readonly name: string;
  readonly percent: number;
}

function Uploading({ name, percent }: Sent) {
  const texts = useTexts();
  return (
    <div role="status">
      <Text size="sm">{texts.uploading(name)}</Text>
      <Progress value={percent} aria-label={texts.uploading(name)} />
    </div>
  );
}

/** The names of file types in the language of the page. */
function useTypeNames(): (types: readonly MediaType[]) => string {
  const { format } = useLanguage();
  return (types) => format.oneOf([...new Set(types.map((type) => mediaTypes[type].name))]);
}

type Upload = (files: readonly File[]) => Promise<void>;

/** Uploads files one after the other, and reports the first that fails. */
function useUploads({ types, maxBytes }: FilesField, mode: TokenMode, onUploaded: (url: string, file: File) => void) {
  const texts = useTexts();
  const { text } = useLanguage();
  const namesOf = useTypeNames();
  const [sent, setSent] = useState<Sent>();
  const [problem, setProblem] = useState<string>();
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);

  const reasonOf = (error: unknown, name: string): string =>
    error instanceof ApiError && error.code === 'UPLOAD_REJECTED'
      ? texts.uploadRejected(name)
      : texts.uploadFailed(name, failureText(error, text));

  const upload = async (file: File, signal: AbortSignal): Promise<string | undefined> => {
    const { name, size } = file;
    const type = typeOf(file, types);
    if (!type) return texts.wrongType(name, namesOf(types));
    if (size > maxBytes) return texts.tooLarge(name, sizeText(maxBytes));
    setSent({ name, percent: 0 });
    const onProgress = (bytes: number) => setSent({ name, percent: Math.min(100, (100 * bytes) / size) });
    try {
      onUploaded(await uploadFile(file, type, mode, { signal, onProgress }), file);
      return undefined;
    } catch (error) {
      return signal.aborted ? undefined : reasonOf(error, name);
    }
  };

  const uploadAll: Upload = async (files) => {
    const leave = new AbortController();
    leaving.current = leave;
    const { signal } = leave;
    setProblem(undefined);
    let found: string | undefined;
    for (const file of files) found ??= await upload(file, signal);
    if (signal.aborted) return;
    setProblem(found);
    setSent(undefined);
  };
  return { sent, problem, uploadAll };
}

interface DropZoneProps {
  readonly field: FilesField;
  readonly id: string;
  readonly describedBy: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly hasFiles: boolean;
}

function DropZone({ field: { types, maxBytes, isList }, id, describedBy, onFiles, hasFiles }: DropZoneProps) {
  const texts = useTexts();
  const namesOf = useTypeNames();
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <label
      className="drop"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <input
        id={id}
        type="file"
        accept={types.join(',')}
        multiple={isList}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <Icon name="plus" />
      <span>{hasFiles ? (isList ? texts.dropMore : texts.replace) : texts.drop}</span>
      <Text size="xs" c="dimmed" component="span">
        {texts.accepts(namesOf(types), sizeText(maxBytes))}
      </Text>
    </label>
  );
}

/** The addresses in the field are read when an upload ends, because they may have changed since it began. */
function useAddresses({ field, value, onChange }: Pick<FileFieldProps, 'field' | 'value' | 'onChange'>) {
  const given = addressesIn(value);
  const set = (urls: readonly string[]) => onChange(field.isList ? urls : urls[0]);
  const add = (url: string) => set(field.isList ? [...given, url].slice(0, field.most) : [url]);
  const latest = useRef(add);
  latest.current = add;
  return {
    given,
    add: (url: string) => latest.current(url),
    remove: (url: string) => set(given.filter((one) => one !== url)),
  };
}

/** Uploads the files of a field again when the mode changes, because live and test mode do not share files. */
function useFilesOfMode({ mode }: Pick<FileFieldProps, 'mode'>, given: readonly string[], upload: Upload): void {
  const uploaded = useUploadedFiles();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another mode needs other files
  useEffect(() => {
    const files = given.flatMap((url) => uploaded.get(url) ?? []).filter((one) => one.mode !== mode);
    if (files.length > 0) void upload(files.map(({ file }) => file));
  }, [mode]);
}

/** Notes about the videos in a field: how many clips will be made of them, or that one is too short. */
function useVideoHint({ field }: Pick<FileFieldProps, 'field'>, seconds: number | undefined): string | undefined {
  const texts = useTexts();
  const { format } = useLanguage();
  if (field.name !== 'videoUrl') return undefined;
  const isShort = seconds !== undefined && seconds < clipCounts.min * clipSeconds.min;
  return isShort
    ? texts.shortVideo(format.duration(seconds), format.number(clipSeconds.min))
    : texts.clips(`${clipCounts.min}–${clipCounts.max}`, `${clipSeconds.min}–${clipSeconds.max}`);
}

export function FileField(props: FileFieldProps) {
  const { field, label, mode, error } = props;
  const id = useId();
  const uploaded = useUploadedFiles();
  const [seconds, setSeconds] = useState<number>();
  const { given, add, remove } = useAddresses(props);
  const { sent, problem, uploadAll } = useUploads(field, mode, (url, file) => {
    uploaded.set(url, { file, mode });
    add(url);
  });
  useFilesOfMode(props, given, uploadAll);
  const shown = problem ?? error;
  const hint = useVideoHint(props, given.length > 0 ? seconds : undefined);
  return (
    <Input.Wrapper
      label={label}
      description={hint}
      required={field.isRequired}
      labelProps={{ htmlFor: id }}
      error={shown}
      errorProps={{ id: `${id}-error`, role: 'alert' }}
    >
      <Stack gap={8} mt={4} mb={shown === undefined ? 0 : 6}>
        <GivenFiles urls={given} onRemove={remove} onMeasured={setSeconds} />
        {sent && <Uploading {...sent} />}
        {!(field.isList && given.length >= field.most) && (
          <>
            <DropZone
              field={field}
              id={id}
              describedBy={`${id}-error`}
              hasFiles={given.length > 0}
              onFiles={(chosen) => void uploadAll(chosen)}
            />
            <Address label={label} onAdd={add} />
          </>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
