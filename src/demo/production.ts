/** Number, first name, last name, position, kind of position; the first eleven start. */
type Squad = readonly (readonly [number: string, firstName: string, lastName: string, position: string, kind: string])[]

export const competition = {
  name: 'Northern Coast Premier League',
  gfxName: 'Coast Premier',
  sport: 'football',
  age: 'Senior',
  gender: 'Male',
} as const

export const venue = {
  name: 'Harbour Lane Stadium',
  gfxName: 'Harbour Lane',
  address: '1 Harbour Lane',
  city: 'Norrvik',
  country: 'Norway',
  timezone: 'Europe/Oslo',
  latitude: 62.4722,
  longitude: 6.1549,
  courts: [],
}

export const officials = [
  { firstName: 'Ingrid', lastName: 'Solbakken', role: 'referee', gfxName: 'I. Solbakken' },
  { firstName: 'Paweł', lastName: 'Nowicki', role: 'assistantReferee', gfxName: 'P. Nowicki' },
  { firstName: 'Aroha', lastName: 'Tamihana', role: 'assistantReferee', gfxName: 'A. Tamihana' },
  { firstName: 'Ruairí', lastName: 'Keane', role: 'videoReferee', gfxName: 'R. Keane' },
] as const

const homeSquad: Squad = [
  ['1', 'Matthías', 'Þórðarson', 'GK', 'goalkeeper'],
  ['2', 'Callum', 'Reyes', 'RB', 'defender'],
  ['4', 'Søren', 'Lindqvist', 'CB', 'defender'],
  ['5', 'Emeka', 'Okonjo', 'CB', 'defender'],
  ['3', 'Jonas', 'Haugland', 'LB', 'defender'],
  ['6', 'Tomasz', 'Wiśniewski', 'DM', 'midfielder'],
  ['8', 'Luka', 'Perišan', 'CM', 'midfielder'],
  ['7', 'Rashid', 'El-Amrani', 'RW', 'forward'],
  ['10', 'Mateus', 'Conceição', 'AM', 'midfielder'],
  ['11', 'Ibrahim', 'Sowande', 'LW', 'forward'],
  ['9', 'Henrik', 'Ståhlberg', 'ST', 'forward'],
  ['13', 'Oisín', 'Brennan', 'GK', 'goalkeeper'],
  ['12', 'Kofi', 'Mensa-Addo', 'CB', 'defender'],
  ['14', 'Yuto', 'Hayashida', 'LB', 'defender'],
  ['16', 'Ángel', 'Iturrioz', 'CM', 'midfielder'],
  ['17', 'Dmytro', 'Kravets', 'RW', 'forward'],
  ['19', 'Finn', "O'Rourke", 'ST', 'forward'],
  ['21', 'Léo', 'Marchandeau', 'AM', 'midfielder'],
]

const awaySquad: Squad = [
  ['1', 'Nikola', 'Jovanić', 'GK', 'goalkeeper'],
  ['2', 'Deshawn', 'Carteret', 'RB', 'defender'],
  ['5', 'Piotr', 'Grabowiec', 'CB', 'defender'],
  ['6', 'Lamine', 'Fofanah', 'CB', 'defender'],
  ['3', 'Kieran', 'Whitlock', 'LB', 'defender'],
  ['4', 'Óscar', 'Villanoz', 'DM', 'midfielder'],
  ['8', 'Jae-won', 'Noh', 'CM', 'midfielder'],
  ['7', 'Tevita', 'Faleolo', 'RW', 'forward'],
  ['10', 'João', 'Peixotinho', 'AM', 'midfielder'],
  ['11', 'Çağlar', 'Demirtaş', 'LW', 'forward'],
  ['9', 'Björn', 'Eklöv', 'ST', 'forward'],
  ['13', 'Marcus', 'Thornbury', 'GK', 'goalkeeper'],
  ['12', 'Anh', 'Trần', 'CB', 'defender'],
  ['15', 'Wiremu', 'Paratene', 'RB', 'defender'],
  ['16', 'Gáspár', 'Szűcsi', 'CM', 'midfielder'],
  ['18', 'Étienne', 'Rouvière', 'CM', 'midfielder'],
  ['20', 'Samir', 'Haddadine', 'RW', 'forward'],
  ['23', 'Isaac', 'Mbekane', 'ST', 'forward'],
]

export const teams = [
  {
    team: {
      name: 'Norrvik Athletic',
      gfxName: 'Norrvik',
      gfxFullName: 'Norrvik Athletic',
      abbreviation: 'NOR',
      primaryBackgroundColor: '#b3132b',
      primaryTextColor: '#ffffff',
      secondaryBackgroundColor: '#1b1f3b',
      secondaryTextColor: '#ffffff',
      nonPlayerStaff: [
        { firstName: 'Astrid', lastName: 'Holmgren', role: 'manager' },
        { firstName: 'Kwame', lastName: 'Asantey', role: 'assistantManager' },
      ],
    },
    squad: homeSquad,
    captain: '4',
  },
  {
    team: {
      name: 'Port Selwyn Rovers',
      gfxName: 'Port Selwyn',
      gfxFullName: 'Port Selwyn Rovers',
      abbreviation: 'PSR',
      primaryBackgroundColor: '#1f6fd6',
      primaryTextColor: '#ffffff',
      secondaryBackgroundColor: '#f4f1e6',
      secondaryTextColor: '#10243f',
      nonPlayerStaff: [{ firstName: 'Declan', lastName: 'Prycehurst', role: 'manager' }],
    },
    squad: awaySquad,
    captain: '4',
  },
] as const

/** The brands of the demo; `logo` is a file below `brands/` of its theme. */
export const brands = [
  {
    brand: {
      name: 'Fjordline Coffee',
      primaryColor: '#14342b',
      textColor: '#f6efe1',
      tagline: 'Roasted by the harbour',
    },
    logo: 'fjordline-coffee.png',
  },
  {
    brand: {
      name: 'Kestrel Outdoor',
      primaryColor: '#a63a12',
      textColor: '#fff4e6',
      tagline: 'Built for the touchline',
    },
    logo: 'kestrel-outdoor.png',
  },
  {
    brand: {
      name: 'Norrvik Membership',
      primaryColor: '#1b1f3b',
      textColor: '#ffffff',
      tagline: 'Home of the harbour end',
      house: true,
    },
    logo: 'norrvik-membership.png',
  },
] as const

/** Which brands share which places of the demo's graphics, by name. */
export const sponsorSlots = [
  {
    id: 'match-partners',
    name: 'Match partners',
    shares: { 'Fjordline Coffee': 50, 'Kestrel Outdoor': 30, 'Norrvik Membership': 20 },
  },
  { id: 'kit-partner', name: 'Kit partner', shares: { 'Kestrel Outdoor': 100 } },
] as const

/** The values that this competition sets over the defaults of the theme. */
export const profileValues = { accentColor: '#ffd23f' }

/**
 * What the overlay shows one after the other, written before the match: presets by name. Each goes off when the next one is taken; who
 * needs the air for something else cues it between two of them.
 */
export const rundown = [
  { preset: 'Commentator', name: 'Welcome' },
  { preset: 'Home line-up' },
  { preset: 'Away line-up' },
  { preset: 'Head coach', name: 'The manager before the match', variableValues: { title: 'Manager, unbeaten in six' } },
  { preset: 'Match partner', name: 'Partner before kick-off', durationSeconds: 10 },
  { preset: 'Score bug', name: 'First half' },
  { preset: 'Half-time score' },
  { preset: 'Kit partner', name: 'Partner at half-time', durationSeconds: 10 },
  { preset: 'Score bug', name: 'Second half' },
  { preset: 'Full-time result' },
  { preset: 'Head coach', name: 'The manager after the match', variableValues: { title: 'Manager' } },
  { preset: 'Match partner', name: 'Good night' },
] as const

export const destinations = [
  { name: 'League channel', type: 'rtmp', url: 'rtmp://live.example.com/app/norrvik' },
  // a player on this machine, to try it out; OUTBOUND_PRIVATE=on lets the server reach it
  { name: 'Local player', type: 'rtmp', url: 'rtmp://127.0.0.1:1936/live', streamKey: 'program' },
] as const
