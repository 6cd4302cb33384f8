/** Erases the rows of a closed account, with the files that they name and the users that they lead to. */
import type { IdentityUsers } from '../../gateways/identity.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Item, Key, Table } from '../../platform/dynamo-table.ts';
import type { ObjectEraser } from '../../platform/object-eraser.ts';
import { deleteRows } from '../delete-rows.ts';
import { uploadKeyIn } from '../files/file-store.ts';
import { StoredImage } from '../studio/studio-image.ts';
import { exportsFolder } from './exports-folder.ts';
import { type ErasedAccount, erasedRows } from './rows-of-account.ts';

export interface EraseRowsNeeds {
  readonly clock: Clock;
  readonly objectEraser: ObjectEraser;
  readonly table: Table;
  readonly users: IdentityUsers;
}

/** How many rows are erased concurrently. */
const atOnce = 25;

/** The stored images that a row of a product, an avatar or a file names. */
const imagesIn = ({ image, images, key }: Item): string[] =>
  [image, ...(Array.isArray(images) ? images : []), { key }].flatMap((one) => {
    const { data } = StoredImage().safeParse(one);
    return data && 'key' in data ? [data.key] : [];
  });

async function eraseImages({ objectEraser, table }: EraseRowsNeeds, keys: readonly Key[]): Promise<void> {
  const images = (await table.getMany(keys)).flatMap(imagesIn);
  await Promise.all(images.map((key) => objectEraser.erase('results', key)));
}

type Outside = Partial<Record<keyof typeof erasedRows, (needs: EraseRowsNeeds, keys: readonly Key[]) => Promise<void>>>;

/** What rows lead to outside the table, which is erased before them. */
const outside: Outside = {
  product: eraseImages,
  avatar: eraseImages,
  async file(needs, keys) {
    await eraseImages(needs, keys);
    const uploads = (await needs.table.getMany(keys)).map(uploadKeyIn);
    await Promise.all(uploads.map((key) => needs.objectEraser.erase('inputs', key)));
  },
  async identity({ table, users }, keys) {
    for (const { username } of await table.getMany(keys)) {
      if (typeof username === 'string') await users.deleteUser(username);
    }
  },
};

/** Erases what the rows of an account hold; false if the time is up before. Each step can be repeated. */
export async function eraseRows(needs: EraseRowsNeeds, account: ErasedAccount, endsAt: number): Promise<boolean> {
  await needs.objectEraser.erase('inputs', exportsFolder(account.accountId));
  // The rows go last: an archive that is completed after them is deleted by who made it.
  for (const [kind, find] of Object.entries(erasedRows)) {
    const keys = await find(needs.table, account);
    for (let from = 0; from < keys.length; from += atOnce) {
      if (needs.clock.now() >= endsAt) return false;
      const batch = keys.slice(from, from + atOnce);
      await outside[kind as keyof Outside]?.(needs, batch);
      await deleteRows(needs.table, batch);
    }
  }
  return true;
}
