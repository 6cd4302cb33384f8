/** The texts about the export of the account, in English. */
export const enExport = {
  title: 'Your data',
  hint: 'Everything about your account in one ZIP file: profile, credits, tasks with their texts, results, files, orders, sessions, pages and messages. It never contains tokens or passwords.',
  request: 'Request archive',
  requestAgain: 'Request a new archive',
  requestTitle: 'Request an archive of your data?',
  requestText: (hours: string) =>
    `It is made in the background. You can download it here for ${hours} hours; then it is deleted. It replaces an earlier one.`,
  download: 'Download',
  downloadTitle: 'Download your data',
  downloadText: 'The archive contains personal data: store it where others cannot read it.',
  making: 'The archive is being made.',
  progress: (rows: string, files: string, size: string) => `${rows} entries and ${files} files (${size}) so far`,
  ready: (size: string, until: string) => `The archive is ready: ${size}, until ${until}.`,
  leftOut: (files: string) => `${files} files are not in it; about.json in the archive names them and says why.`,
  failed: 'The archive could not be made. Request it again; if that fails too, tell the operator of the service.',
  expired: 'The last archive has been deleted.',
};
