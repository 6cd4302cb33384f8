/** Reads all items of a service's table directly. */
import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { localAccess } from '../../infra/local/local-access.ts';
import { tableName } from '../../infra/local/service-environment.ts';

export type StoredItem = Readonly<Record<string, AttributeValue>>;

/** Every stored item of the local service, by key. */
export const storedItems = ({
  AWS_ENDPOINT_URL_DYNAMODB: endpoint = '',
}: Readonly<Record<string, string>>): Promise<Map<string, StoredItem>> => itemsIn({ endpoint, tableName });

/** Every item of a table, by key. */
export async function itemsIn(table: {
  readonly endpoint: string;
  readonly tableName: string;
}): Promise<Map<string, StoredItem>> {
  const client = new DynamoDBClient(localAccess(table.endpoint));
  try {
    const pages = paginateScan({ client }, { TableName: table.tableName, ConsistentRead: true });
    const items = (await Array.fromAsync(pages)).flatMap(({ Items = [] }) => Items);
    return new Map(items.map((item) => [`${item.pk?.S} ${item.sk?.S}`, item]));
  } finally {
    client.destroy();
  }
}
