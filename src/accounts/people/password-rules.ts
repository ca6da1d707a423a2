const passwordMin = 12;
const passwordMax = 200;

/** Why a person may not have this login; null when they may. It is compared in lower case. */
export function loginFault(login: string): string | null {
  return /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{2,127}$/u.test(login)
    ? null
    : "A login has 3 to 128 letters, digits and . _ @ + -, an e-mail address for instance.";
}

/**
 * Why a password is refused; null when it is not. Length is what counts (NIST SP 800-63B): no rules for kinds of characters, but
 * nothing that is the login itself, one character again and again, or a row of neighbours.
 */
export function passwordFault(password: string, login: string): string | null {
  const characters = Array.from(password.normalize("NFC"));
  if (characters.length < passwordMin) return `A password has at least ${passwordMin} characters.`;
  if (characters.length > passwordMax) return `A password has at most ${passwordMax} characters.`;
  if (password.toLowerCase().includes(login.toLowerCase()))
    return "The password must not contain the login.";
  if (new Set(characters).size < 5) return "The password repeats too few characters.";
  return isRow(characters) ? "The password must not be a row of neighbours." : null;
}

/** Whether nearly all characters follow or repeat the one before: `abcdefghijkl`, `123456789012`. */
function isRow(characters: readonly string[]): boolean {
  const steps = characters
    .slice(1)
    .filter(
      (character, index) =>
        Math.abs((character.codePointAt(0) ?? 0) - (characters[index]?.codePointAt(0) ?? 0)) <= 1,
    );
  return steps.length >= (characters.length - 1) * 0.8;
}
