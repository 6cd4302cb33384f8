/** The URLs from which images may be downloaded. */
import * as z from 'zod';

const ownHosts = ['127.0.0.1', 'localhost', '[::1]'];

const isReadable = (text: string) => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && ownHosts.includes(url.hostname));
};

export const ImageUrl = z
  .string()
  .max(4096)
  .refine(isReadable, { error: 'must be an https URL, or an http URL of this machine' });

export const ReferenceImages = z.array(ImageUrl).max(4).default([]);
