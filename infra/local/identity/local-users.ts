/** The people whom the local identity provider knows: with passwords of its own, or through a stand-in for Google. */
import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

export interface LocalUser {
  readonly subject: string;
  /** As Cognito names users: by their subject, or by the provider that they come from. */
  readonly username: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly name: string;
  /** Absent for those with a password. */
  readonly provider?: string;
  isEnabled: boolean;
  /** Whether the password alone does not authenticate them. */
  hasSecondFactor: boolean;
}

interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly isEmailVerified?: boolean;
}

interface Password {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const hashOf = (password: string, salt: Buffer): Buffer => scryptSync(password, salt, 32, { N: 1024 });

/** Stays the same from one start to the next, so that accounts keep their owners. */
function subjectOf(text: string): string {
  const hex = createHash('sha256').update(`local identity ${text}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

export interface LocalUsers {
  addWithPassword(user: NewUser, password: string): LocalUser;
  /** Undefined when somebody with the address has a password already. */
  signUp(user: NewUser, password: string): LocalUser | undefined;
  /** The same address at the same provider is the same person. */
  fromProvider(provider: string, user: NewUser): LocalUser;
  find(subject: string): LocalUser | undefined;
  findByName(username: string): LocalUser | undefined;
  /** By e-mail address or username. */
  withPassword(name: string, password: string): LocalUser | undefined;
}

export function localUsers(): LocalUsers {
  const users = new Map<string, LocalUser>();
  const passwords = new Map<string, Password>();
  const all = () => [...users.values()];
  const add = (user: LocalUser): LocalUser => {
    users.set(user.subject, user);
    return user;
  };
  const rest = ({ email, name, isEmailVerified = true }: NewUser) => ({
    email,
    name,
    isEmailVerified,
    isEnabled: true,
    hasSecondFactor: false,
  });
  const addWithPassword = (given: NewUser, password: string): LocalUser => {
    const subject = subjectOf(`password ${given.email}`);
    const salt = randomBytes(16);
    passwords.set(subject, { salt, hash: hashOf(password, salt) });
    return add({ subject, username: subject, ...rest(given) });
  };
  return {
    addWithPassword,
    signUp: (given, password) =>
      passwords.has(subjectOf(`password ${given.email}`)) ? undefined : addWithPassword(given, password),
    fromProvider(provider, given) {
      const subject = subjectOf(`${provider} ${given.email}`);
      const username = `${provider}_${createHash('sha256').update(given.email).digest('hex').slice(0, 20)}`;
      return users.get(subject) ?? add({ subject, username, provider, ...rest(given) });
    },
    find: (subject) => users.get(subject),
    findByName: (username) => all().find((user) => user.username === username),
    withPassword(name, password) {
      const user = all().find((one) => !one.provider && (one.email === name || one.username === name));
      const known = user && passwords.get(user.subject);
      return known && timingSafeEqual(known.hash, hashOf(password, known.salt)) ? user : undefined;
    },
  };
}
