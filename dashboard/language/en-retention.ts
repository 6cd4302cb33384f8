/** The texts about how long tasks keep their results and inputs, in English. */
export const enRetention = {
  title: 'Retention',
  hint: 'How many days after its creation the data of a task are erased. A change applies to tasks that are created after it.',
  results: 'Days for results',
  resultsHint: 'Empty for as long as the service stores results.',
  inputs: 'Days for requests and their texts',
  inputsHint: 'Empty for as long as the task is there. Credits, times and the status of a task always stay.',
  invalid: (most: string) => `Enter a whole number from 1 to ${most}, or leave the field empty.`,
  save: 'Save',
  saved: 'Saved.',
};
