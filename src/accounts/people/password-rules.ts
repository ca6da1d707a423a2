const passwordMin = 12;
const passwordMax = 200;

/** Why a login is invalid; null when it is valid. Logins are compared in lower case. */
export function loginFault(login: string): string | null {
  return /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{2,127}$/u.test(login)
    ? null
    : "A login has 3 to 128 letters, digits and . _ @ + -, such as an email address.";
}

/**
 * Why a password is invalid; null when it is valid. As NIST SP 800-63B recommends, length is required rather than kinds of characters.
 * Passwords that contain the login, repeat few characters or are a sequence are invalid.
 */
export function passwordFault(password: string, login: string): string | null {
  const characters = Array.from(password.normalize("NFC"));
  if (characters.length < passwordMin) return `A password has at least ${passwordMin} characters.`;
  if (characters.length > passwordMax) return `A password has at most ${passwordMax} characters.`;
  if (password.toLowerCase().includes(login.toLowerCase()))
    return "The password must not contain the login.";
  if (new Set(characters).size < 5)
    return "The password must have at least 5 different characters.";
  return isSequence(characters) ? "The password must not be a sequence such as 123456." : null;
}

/** Whether at least 80 % of the characters repeat the previous one or are next to it: `abcdefghijkl`, `123456789012`. */
function isSequence(characters: readonly string[]): boolean {
  const steps = characters
    .slice(1)
    .filter(
      (character, index) =>
        Math.abs((character.codePointAt(0) ?? 0) - (characters[index]?.codePointAt(0) ?? 0)) <= 1,
    );
  return steps.length >= (characters.length - 1) * 0.8;
}
