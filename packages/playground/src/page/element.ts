/** Elements in one expression. Properties are set as such; those with a dash, and `role`, are attributes. */

type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'style' | 'children'>
> & { readonly [attribute: `${string}-${string}`]: string; readonly role?: string };

export type Child = Node | string;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<Tag> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role') made.setAttribute(name, value as string);
    else Object.assign(made, { [name]: value });
  }
  made.append(...children);
  return made;
}
