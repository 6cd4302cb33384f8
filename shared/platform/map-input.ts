/** Expressions that operators write: what goes in, made into what somebody else takes. */
import jsonata from 'jsonata';

type Input = Readonly<Record<string, unknown>>;

/** What an expression stumbled over, by JSONata's code alone: its own words may quote what went in. */
class MappingFailed extends Error {
  override readonly name = 'MappingFailed';
}

async function evaluated(expression: string, input: Input): Promise<unknown> {
  try {
    return await jsonata(expression).evaluate(input);
  } catch (thrown) {
    const { code } = Object(thrown) as { readonly code?: unknown };
    throw new MappingFailed(`a mapping failed: ${typeof code === 'string' ? code : 'no code'}`);
  }
}

/** The expression is JSONata. @throws {MappingFailed} when it is broken or makes no object. */
export async function mapInput(expression: string, input: Input): Promise<Input> {
  const made = await evaluated(expression, input);
  if (typeof made !== 'object' || made === null || Array.isArray(made))
    throw new MappingFailed('a mapping makes no object');
  // JSONata's own lists carry marks that nobody else should see.
  return JSON.parse(JSON.stringify(made)) as Input;
}
