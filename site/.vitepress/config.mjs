// The site: the pages of the repository as they are, in the order in which one needs them.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { anchor, root, title, toPages } from './pages.mjs'

const sections = {
  Begin: [
    'README.md',
    'docs/getting-started.md',
    'docs/what-is-cached.md',
    'docs/consistency.md',
    'docs/configuration.md',
    'docs/spring-boot.md',
    'docs/frameworks.md',
    'docs/testing.md',
    'examples/README.md',
  ],
  Production: [
    'docs/trust.md',
    'docs/operations.md',
    'docs/invalidation.md',
    'docs/routines.md',
    'docs/memcached.md',
    'docs/unpooled-hits.md',
    'docs/tenants.md',
    'docs/poolers.md',
    'docs/staleness.md',
    'docs/warm-start.md',
    'docs/change-feed.md',
    'docs/codes.md',
    'docs/versions.md',
    'docs/matrix.md',
  ],
  'From another cache': ['docs/from-pgpool.md', 'docs/from-mysql.md'],
  Figures: ['docs/benchmarks.md', 'docs/real-applications.md', 'docs/precision.md', 'benchmarks/README.md'],
  Inside: [
    'docs/architecture.md',
    'docs/glossary.md',
    'docs/memcached-protocol.md',
    'docs/proof.md',
    'docs/proof-histories.md',
    'docs/proof-fuzzing.md',
    'docs/proof-mutation.md',
    'docs/proof-suites.md',
    'docs/proof-found.md',
  ],
  Project: ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
}
const pages = Object.values(sections).flat()

/** The pages are outside of this folder, and still find Vue in it. */
const vueForPages = {
  name: 'vue-for-pages',
  enforce: 'pre',
  resolveId(name, from, options) {
    return /^vue(\/|$)/.test(name) && from?.endsWith('.md')
      ? this.resolve(name, fileURLToPath(import.meta.url), { ...options, skipSelf: true })
      : null
  },
}

/** The pages that share a title with another one. */
const names = { 'benchmarks/README.md': 'Benchmarks of the parts' }

export default defineConfig({
  title: 'Larder',
  description: 'A query cache inside the JDBC driver for PostgreSQL',
  base: process.env.SITE_BASE ?? '/',
  srcDir: '..',
  srcExclude: ['**/target/**', 'site/**'],
  outDir: 'target/site',
  cacheDir: 'target/cache',
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  markdown: {
    anchor: { slugify: anchor },
    config: (markdown) => toPages(markdown, pages),
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: Object.entries(sections).map(([text, items]) => ({
      text,
      items: items.map((page) => ({
        text: names[page] ?? title(page),
        link: '/' + page.replace(/README\.md$/, '').replace(/\.md$/, ''),
      })),
    })),
  },
  transformPageData(page) {
    if (!pages.includes(page.filePath)) {
      throw new Error(`${page.filePath} is in no section of site/.vitepress/config.mjs`)
    }
  },
  vite: {
    plugins: [vueForPages],
    server: { fs: { allow: [root] } },
    build: { chunkSizeWarningLimit: 2000 },
  },
})
