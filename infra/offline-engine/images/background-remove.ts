/** `background-remove`: the subject alone, on nothing or on one colour. */
import type { MadeFile } from '../ability.ts';
import { fetchPicture } from './fetch-picture.ts';
import type { ImageContext } from './image-order.ts';
import type { ImageRequest } from './image-requests.ts';
import { type Picture, pictureOf, pipelineOf, savePicture } from './picture.ts';
import { cutOut, subjectMask } from './subject-mask.ts';

const onColour = (picture: Picture, colour: string): Promise<Picture> =>
  pictureOf(pipelineOf(picture).flatten({ background: colour }), false);

const remarks = {
  person: 'Background removed by the offline engine: a person was found.',
  object: 'Background removed by the offline engine: no person was found, the borders were taken for background.',
};

export const removeBackground = async (
  { imageUrl, format, background }: ImageRequest<'background-remove'>,
  context: ImageContext,
): Promise<readonly MadeFile[]> => {
  const { picture } = await fetchPicture(imageUrl, 'imageUrl');
  context.progress(15);
  const mask = await subjectMask(picture);
  context.progress(60);
  const alone = cutOut(picture, mask);
  const result = background === 'transparent' ? alone : await onColour(alone, background);
  context.progress(80);
  return [await savePicture(result, context, { format, remark: remarks[mask.subject] })];
};
