// How pages that are written for a forge become pages of the site.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The first heading of the page at `file`, a path from the root. */
export function title(file) {
  return fs.readFileSync(path.join(root, file), 'utf8').match(/^# (.+)$/m)[1]
}

/** The anchor of a heading, as forges make it, and `DocumentLinksTest` too. */
export function anchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

/**
 * Adapts the links of Markdown. A link to a page whose text is the name of its file gets the title of the page. A link to
 * another file of the repository, such as a source, becomes its name alone: the repository has no public address. A link to
 * a file that is not there is an error.
 */
export function toPages(markdown, pages) {
  markdown.core.ruler.push('links-to-pages', ({ tokens, env }) => {
    for (const { children } of tokens) {
      children?.forEach((token, index) => {
        if (token.type === 'link_open') {
          adapt(token, children.slice(index + 1), env.path, pages)
        }
      })
    }
  })
}

function adapt(link, following, from, pages) {
  const folder = path.dirname(from)
  const href = link.attrGet('href')
  if (/^([a-z]+:|#)/.test(href)) {
    return
  }
  const [file, fragment] = href.split('#')
  const target = path.resolve(folder, decodeURI(file))
  if (!fs.existsSync(target)) {
    throw new Error(`${from}: no file for the link ${href}`)
  }
  const name = path.relative(root, target)
  if (pages.includes(name)) {
    if (following[0].content === path.basename(name)) {
      following[0].content = title(name)
    }
    const page = path.relative(folder, target).replace(/README\.md$/, 'index.md')
    link.attrSet('href', (page.startsWith('.') ? page : './' + page) + (fragment ? '#' + fragment : ''))
  } else {
    const end = following.find((token) => token.type === 'link_close')
    link.tag = end.tag = 'span'
    link.attrs = [['title', name]]
  }
}
