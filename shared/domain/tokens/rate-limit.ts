export const zzz: number = 1;
