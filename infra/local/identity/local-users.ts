/** The users of the local identity provider: with a password, or through a substitute for Google. */
import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

export interface LocalUser {
  readonly subject: string;
  /** The username as in Cognito: the subject, or a name that begins with the user's provider. */
  readonly username: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly name: string;
  readonly groups: readonly string[];
  /** The external provider; absent for users with a password. */
  readonly provider?: string;
  isEnabled: boolean;
  /** Whether the user must provide a second factor in addition to the password. */
  hasSecondFactor: boolean;
}

interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly isEmailVerified?: boolean;
  readonly groups?: readonly string[];
}

interface Password {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const hashOf = (password: string, salt: Buffer): Buffer => scryptSync(password, salt, 32, { N: 1024 });

/** A subject derived from a text, so that accounts keep their owners across restarts. */
function subjectOf(text: string): string {
  const hex = createHash('sha256').update(`local identity ${text}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

export interface LocalUsers {
  addWithPassword(user: NewUser, password: string): LocalUser;
  /** Creates a user; undefined if the address already has a password. */
  signUp(user: NewUser, password: string): LocalUser | undefined;
  /** Finds or creates a user: the same address at the same provider is the same user. */
  fromProvider(provider: string, user: NewUser): LocalUser;
  find(subject: string): LocalUser | undefined;
  findByName(username: string): LocalUser | undefined;
  remove(user: LocalUser): void;
  /** Finds a user by email address or username, and password. */
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
  const rest = ({ email, name, isEmailVerified = true, groups = [] }: NewUser) => ({
    email,
    name,
    isEmailVerified,
    groups,
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
    remove({ subject }) {
      users.delete(subject);
      passwords.delete(subject);
    },
    withPassword(name, password) {
      const user = all().find((one) => !one.provider && (one.email === name || one.username === name));
      const known = user && passwords.get(user.subject);
      return known && timingSafeEqual(known.hash, hashOf(password, known.salt)) ? user : undefined;
    },
  };
}
