/**
 * Why a database with this server encoding cannot be used, with the remedy, or null. Only UTF8 stores every character: others
 * refuse some names and notes, and SQL_ASCII knows bytes, not letters, so that searches miss what they should find.
 */
export function encodingFault(encoding: string): string | null {
  if (encoding === "UTF8") return null;
  return `its encoding is ${encoding}, and only UTF8 stores all text: create it with \`createdb --encoding UTF8 --template template0 NAME\`, and restore a dump of the old one (\`pg_dump\`) if that is in use`;
}
