/** Every list omits a row with any of the further damages that a row may have. */
import { describeDamages } from './describe-damages.ts';

await describeDamages((damages) => damages.slice(1));
