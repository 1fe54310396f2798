const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Text for an XML element or attribute. XML 1.0 cannot hold most control characters, lone surrogates, U+FFFE
 * and U+FFFF, not even as references: they become U+FFFD. White space becomes references, which attributes
 * keep as is.
 */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character])
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[\p{Cs}\u0000-\u001f\ufffe\uffff]/gu, '\ufffd');
}
