// Opens every page of the built site in Chromium and fails where one is broken: a link or an anchor that leads nowhere, a
// picture that is missing, an error in the console, a request to another host, a page that is wider than the window (1280
// and 390 pixels, light and dark; tables and code scroll by themselves), or a search that finds nothing. With
// SITE_PICTURES it leaves pictures in target/pictures.
import fs from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { serve } from 'vitepress'

const built = 'target/site'
const pictures = 'target/pictures'
const widths = [1280, 390]
const schemes = ['light', 'dark']
/** Which of these pictures are taken of, for people to look at. */
const looked = process.env.SITE_PICTURES ? ['1280 light', '390 dark'] : []
/** Where links may lead outside of the site. */
const others = ['https://www.postgresql.org/', 'https://github.com/']

/** Runs in a page: what is wider than the window, or cut off at its edge. */
function tooWide() {
  const wide = [...document.querySelectorAll('.vp-doc *')]
    .filter((element) => !element.closest('table, pre, .vp-code-group') && element.getBoundingClientRect().right > innerWidth)
    .map((element) => `<${element.localName}> is cut off: ${element.textContent.slice(0, 40)}`)
  const scrolled = document.documentElement.scrollWidth
  return scrolled > innerWidth ? [`it is ${scrolled} pixels wide`, ...wide] : wide
}

const faults = []
const fault = (page, what) => faults.push(`${page}: ${what}`)

const server = await serve({ port: 0 })
const origin = `http://localhost:${server.server.address().port}`
const home = origin + (process.env.SITE_BASE ?? '/')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const tab = await browser.newPage()
tab.setDefaultTimeout(30_000)
let current
tab.on('console', (message) => message.type() === 'error' && fault(current, message.text()))
tab.on('pageerror', (error) => fault(current, error.message))
await tab.route(
  (url) => url.origin !== origin && url.protocol !== 'data:',
  (route) => {
    fault(current, `asks ${route.request().url()}`)
    return route.abort()
  },
)

const pages = fs
  .readdirSync(built, { recursive: true })
  .filter((file) => file.endsWith('.html') && file !== '404.html')
  .sort()
fs.rmSync(pictures, { recursive: true, force: true })

/** What each page has: its anchors, and its links as absolute addresses. */
const anchors = new Map()
const links = new Map()
for (const page of pages) {
  current = page
  await tab.setViewportSize({ width: widths[0], height: 900 })
  await tab.emulateMedia({ colorScheme: schemes[0] })
  await tab.goto(home + page, { waitUntil: 'load' })
  await tab.waitForFunction(() => document.querySelector('#app')?.__vue_app__)
  for (const image of await tab.locator('.vp-doc img').all()) {
    if (!(await image.evaluate((element) => element.decode().then(() => element.naturalWidth > 0, () => false)))) {
      fault(page, `no picture ${await image.getAttribute('src')}`)
    }
  }
  anchors.set(page, new Set(await tab.evaluate(() => [...document.querySelectorAll('[id]')].map((element) => element.id))))
  links.set(page, await tab.evaluate(() => [...document.querySelectorAll('a[href]')].map((element) => element.href)))
  for (const scheme of schemes) {
    await tab.emulateMedia({ colorScheme: scheme })
    await tab.waitForFunction((dark) => document.documentElement.classList.contains('dark') === dark, scheme === 'dark')
    for (const width of widths) {
      await tab.setViewportSize({ width, height: 900 })
      for (const wide of await tab.evaluate(tooWide)) {
        fault(page, `${wide} in a window of ${width} pixels, ${scheme}`)
      }
      if (looked.includes(`${width} ${scheme}`)) {
        const name = `${page.replaceAll('/', '-')}-${width}-${scheme}.png`
        await tab.screenshot({ path: path.join(pictures, name), fullPage: true, animations: 'disabled' })
      }
    }
  }
}

let followed = 0
for (const [page, targets] of links) {
  for (const target of new Set(targets)) {
    const url = new URL(target)
    if (!target.startsWith(home)) {
      others.some((other) => target.startsWith(other)) || fault(page, `links to ${target}`)
      continue
    }
    followed++
    const name = decodeURIComponent(target.slice(home.length).split('#')[0])
    const file = name === '' || name.endsWith('/') ? name + 'index.html' : name
    if (!anchors.has(file)) {
      fault(page, `no page for the link ${target}`)
    } else if (url.hash && !anchors.get(file).has(decodeURIComponent(url.hash.slice(1)))) {
      fault(page, `no anchor for the link ${target}`)
    }
  }
}

current = 'the search'
await tab.setViewportSize({ width: widths[0], height: 900 })
await tab.goto(home, { waitUntil: 'load' })
await tab.locator('.VPNavBarSearch button').first().click()
await tab.locator('#localsearch-input').fill('larder.writers')
const found = await tab.locator('.VPLocalSearchBox .result').first().getAttribute('href').catch(() => 'nothing')
if (!found.endsWith('docs/configuration.html#larderwriters')) {
  fault(current, `finds ${found} first`)
}

await browser.close()
server.server.close()
console.log(`${pages.length} pages, ${followed} links within the site, ${faults.length} faults`)
if (pages.length < 30 || followed < 1000) {
  fault('the site', 'has fewer pages or links than it should: the check has seen too little')
}
faults.forEach((each) => console.error(each))
process.exit(faults.length > 0 ? 1 : 0)
