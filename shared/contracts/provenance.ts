/** What a result's Content Credentials say about how it was made. */
import * as z from 'zod';
import { oneOf, shortText } from './fields.ts';
import { once } from './once.ts';

/** IPTC's names of the two ways in which operations make media. */
export const digitalSourceTypes = ['trainedAlgorithmicMedia', 'compositeWithTrainedAlgorithmicMedia'] as const;
export type DigitalSourceType = (typeof digitalSourceTypes)[number];

export const sourceTypeMeaning =
  'How the file was made, as IPTC names it: by a model, or by a model that changed or used media of the request.';

export const Provenance = once(() =>
  z
    .object({
      standard: oneOf(['c2pa']).describe('The standard of the credentials.'),
      digitalSourceType: oneOf(digitalSourceTypes).describe(sourceTypeMeaning),
      signedBy: shortText().describe('The name in the certificate that signed the credentials.'),
    })
    .meta({ id: 'Provenance', description: 'What the Content Credentials in a file say about how it was made.' }),
);
export type Provenance = Readonly<z.output<ReturnType<typeof Provenance>>>;
