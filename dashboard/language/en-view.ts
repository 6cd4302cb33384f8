/** The texts for operators who see an account as its owner does, in English. */
export const enView = {
  banner: (email: string, time: string) => `You see this account as ${email} does. Read-only, ends at ${time}.`,
  end: 'End the view',
  refused: 'Operators cannot see or change this: the view is read-only.',
  endedTitle: 'This view has ended',
  ended: 'Begin another one on the customer’s page, with a reason.',
  toOperators: 'To the operators’ pages',
};
