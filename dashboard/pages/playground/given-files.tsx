/** The files in a field: their names, and previews of those that were uploaded since the page was opened. */
import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useUploadedFiles } from './uploaded-files.ts';
import { useTexts } from './use-texts.ts';

interface GivenProps {
  readonly url: string;
  readonly file: File | undefined;
  readonly onRemove: () => void;
  /** Called with the seconds that a video lasts. */
  readonly onMeasured: (seconds: number) => void;
}

/** The address of a file in this browser, as long as it is shown. */
function useAddressOf(file: File | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!file) return undefined;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}

/* biome-ignore-start lint/a11y/useMediaCaption: files of users have no captions */
function Player({
  src,
  file,
  onMeasured,
}: { readonly src: string; readonly file: File } & Pick<GivenProps, 'onMeasured'>) {
  if (file.type.startsWith('audio/')) return <audio controls preload="metadata" src={src} aria-label={file.name} />;
  if (!file.type.startsWith('video/')) return null;
  return (
    <video
      controls
      playsInline
      preload="metadata"
      src={src}
      aria-label={file.name}
      onLoadedMetadata={({ currentTarget: { duration } }) => onMeasured(duration)}
    />
  );
}
/* biome-ignore-end lint/a11y/useMediaCaption: files of users have no captions */

/** Shows a preview of a file that was uploaded since the page was opened, and the address of any other file. */
function GivenFile({ url, file, onRemove, onMeasured }: GivenProps) {
  const texts = useTexts();
  const src = useAddressOf(file);
  const name = file?.name ?? url;
  return (
    <li>
      {src !== undefined && file?.type.startsWith('image/') && <img src={src} alt="" width={44} height={44} />}
      <Text size="sm" truncate title={url}>
        {name}
      </Text>
      <Button size="compact-xs" variant="default" onClick={onRemove} aria-label={texts.remove(name)}>
        ×
      </Button>
      {src !== undefined && file && <Player src={src} file={file} onMeasured={onMeasured} />}
    </li>
  );
}

interface GivenFilesProps extends Pick<GivenProps, 'onMeasured'> {
  readonly urls: readonly string[];
  readonly onRemove: (url: string) => void;
}

export function GivenFiles({ urls, onRemove, onMeasured }: GivenFilesProps) {
  const uploaded = useUploadedFiles();
  if (urls.length === 0) return null;
  return (
    <ul className="given">
      {urls.map((url) => (
        <GivenFile
          key={url}
          url={url}
          file={uploaded.get(url)?.file}
          onRemove={() => onRemove(url)}
          onMeasured={onMeasured}
        />
      ))}
    </ul>
  );
}
