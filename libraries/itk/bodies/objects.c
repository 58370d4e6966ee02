// What ITK's base classes do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LightObject, Object and DataObject of ITK 5, of which every class of ITK is derived.
//
// Messages and observers are off, and there is no dictionary: what switches them on or makes one has no body, so that a
// call of it is unknown. The constructors of classes that are derived set the virtual functions. What calls one of these
// is in objects.ll, which says of which type they are.

#include "bodies.h"

UNLESS("ObjectFactoryBase15RegisterFactory ObjectFactoryBase23RegisterFactoryInternal ObjectFactoryBaseC2Ev");

typedef struct {
  char *text;
  size_t length;
  union {
    size_t capacity;
    char room[16];
  };
} String;

typedef struct {
  void *functions;
  int references;
  char debug;
  int64_t time;
  void *observers, *dictionary;
  String name;
} Object;

typedef struct {
  Object of;
  void *source;
  String sourceName;
  int64_t updated;
  char others[16];
  int16_t flags;
  int64_t pipeline;
} DataObject;
_Static_assert(sizeof(Object) == 72 && sizeof(DataObject) == 152, "as ITK lays them out");

#define OBJECT(NAME) _ZN3itk6Object##NAME
#define READ_OBJECT(NAME) _ZNK3itk6Object##NAME
#define DATA_OBJECT(NAME) _ZN3itk10DataObject##NAME

static int64_t memshape_itk_time;
void _ZdlPvm(void *, size_t);

/// Whether a factory replaces a class.
SAYS("assumes", "taken for granted: no object factory that the program registers replaces a class of ITK")
void _ZN3itk17ObjectFactoryBase14CreateInstanceEPKc(void **object, const char *name) { *object = 0; }

void _ZN3itk9TimeStamp8ModifiedEv(int64_t *stamp) { *stamp = ++memshape_itk_time; }

static void emptyString(String *string) {
  string->text = string->room;
  string->length = 0;
  string->room[0] = 0;
}

static void endString(String *string) {
  if (string->text != string->room)
    _ZdlPvm(string->text, string->capacity + 1);
}

/// Object, and LightObject in it.
void OBJECT(C2Ev)(Object *this) {
  this->references = 1;
  this->debug = 0;
  this->observers = this->dictionary = 0;
  emptyString(&this->name);
  _ZN3itk9TimeStamp8ModifiedEv(&this->time);
}

void OBJECT(D2Ev)(Object *this) { endString(&this->name); }
void READ_OBJECT(8RegisterEv)(Object *this) { ++this->references; }
void READ_OBJECT(8ModifiedEv)(Object *this) { _ZN3itk9TimeStamp8ModifiedEv(&this->time); }
int64_t READ_OBJECT(8GetMTimeEv)(const Object *this) { return this->time; }
const int64_t *READ_OBJECT(12GetTimeStampEv)(const Object *this) { return &this->time; }
void OBJECT(12SetTimeStampERKNS_9TimeStampE)(Object *this, const int64_t *stamp) { this->time = *stamp; }
bool READ_OBJECT(8GetDebugEv)(const Object *this) { return false; }
bool OBJECT(23GetGlobalWarningDisplayEv)(void) { return true; }

void DATA_OBJECT(C2Ev)(DataObject *this) {
  OBJECT(C2Ev)(&this->of);
  this->source = 0;
  emptyString(&this->sourceName);
  this->updated = 0;
  this->flags = 0;
  this->pipeline = 0;
}

void DATA_OBJECT(D2Ev)(DataObject *this) {
  endString(&this->sourceName);
  OBJECT(D2Ev)(&this->of);
}

void DATA_OBJECT(10InitializeEv)(DataObject *this) {}
int64_t _ZNK3itk10DataObject14GetUpdateMTimeEv(const DataObject *this) { return this->updated; }
